#include <cstring>
#include <optional>

#include "fault.hpp"
#include "runtime.hpp"

using namespace percepts::cuda::emulation;

namespace {

cudaError_t allocate(Runtime& runtime, MemoryKind kind, void** pointer, std::size_t bytes) {
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  ++runtime.counters.allocations;
  *pointer = runtime.memory.allocate(kind, current_device(), bytes);
  return *pointer != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

bool begins_allocation(const Runtime& runtime, const void* pointer, MemoryKind kind) {
  const Allocation* const found = runtime.memory.find(pointer);
  return found != nullptr && found->begin == pointer && found->kind == kind;
}

/// Where one side of a copy lies.
struct Side {
  bool pageable = true;
  bool on_device = false;
  int device = 0;
  bool fits = true;
};

Side side_of(const Runtime& runtime, const void* pointer, std::size_t bytes) {
  const Allocation* const found = runtime.memory.find(pointer);
  if (found == nullptr) return {};
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - found->begin);
  return {.pageable = false,
          .on_device = found->kind == MemoryKind::device,
          .device = found->device,
          .fits = bytes <= found->bytes - offset};
}

bool directions_match(const Side& to, const Side& from, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to.on_device && !from.on_device;
    case cudaMemcpyHostToDevice:
      return to.on_device && !from.on_device;
    case cudaMemcpyDeviceToHost:
      return !to.on_device && from.on_device;
    case cudaMemcpyDeviceToDevice:
      return to.on_device && from.on_device;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

// Memory may have been freed since the copy was asked for.
void check_still_there(const Side& then, const void* pointer, std::size_t bytes, const char* what) {
  if (then.pageable) return;
  const Side now = side_of(Runtime::instance(), pointer, bytes);
  if (now.pageable || !now.fits) fault(std::string(what) + " memory that was freed while the work waited");
}

void run_copy(void* to, const Side& to_side, const void* from, const Side& from_side, std::size_t bytes) {
  Memory& memory = Runtime::instance().memory;
  check_still_there(to_side, to, bytes, "a copy writes");
  check_still_there(from_side, from, bytes, "a copy reads");
  std::optional<Memory::Opened> of_target;
  std::optional<Memory::Opened> of_source;
  if (to_side.on_device) of_target.emplace(memory, to_side.device, "a copy");
  if (from_side.on_device && !(to_side.on_device && to_side.device == from_side.device)) {
    of_source.emplace(memory, from_side.device, "a copy");
  }
  std::memcpy(to, from, bytes);
}

cudaError_t copy(Runtime& runtime, CUstream_st& stream, void* to, const void* from, std::size_t bytes,
                 cudaMemcpyKind kind) {
  const Side to_side = side_of(runtime, to, bytes);
  const Side from_side = side_of(runtime, from, bytes);
  if (!to_side.fits || !from_side.fits || !directions_match(to_side, from_side, kind)) {
    return cudaErrorInvalidValue;
  }
  if (bytes == 0) return runtime.check_capture(stream);
  if (!to_side.pageable && !from_side.pageable) {
    return runtime.submit(
        stream,
        [=] {
          run_copy(to, to_side, from, from_side, bytes);
          return cudaSuccess;
        },
        false);
  }
  // The driver reads pageable memory before it returns, and has written it when it returns.
  if (const cudaError_t error = runtime.check_wait(stream); error != cudaSuccess) return error;
  if (to_side.pageable) {
    ++runtime.counters.synchronizations;
    return runtime.complete(runtime.enqueue(stream, [=] {
      run_copy(to, to_side, from, from_side, bytes);
      return cudaSuccess;
    }));
  }
  const auto* const source = static_cast<const std::byte*>(from);
  auto staged = std::make_shared<const std::vector<std::byte>>(source, source + bytes);
  runtime.enqueue(stream, [=, staged = std::move(staged)] {
    run_copy(to, to_side, staged->data(), from_side, bytes);
    return cudaSuccess;
  });
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return call("cudaMalloc", CallKind::unsafe,
              [&](Runtime& runtime) { return allocate(runtime, MemoryKind::device, pointer, bytes); });
}

cudaError_t cudaFree(void* pointer) {
  return call("cudaFree", CallKind::unsafe, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaSuccess;
    if (!begins_allocation(runtime, pointer, MemoryKind::device)) return cudaErrorInvalidValue;
    ++runtime.counters.synchronizations;
    const cudaError_t error = runtime.complete_device(runtime.memory.find(pointer)->device);
    runtime.memory.release(pointer);
    return error;
  });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t handle) {
  return call("cudaMallocAsync", CallKind::plain, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    // CUDA would make it a node of the graph; nothing here needs that, and a plan must not allocate.
    if (const cudaError_t error = runtime.check_wait(*stream); error != cudaSuccess) return error;
    return allocate(runtime, MemoryKind::device, pointer, bytes);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  return call("cudaFreeAsync", CallKind::plain, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (pointer == nullptr) return cudaSuccess;
    if (!begins_allocation(runtime, pointer, MemoryKind::device)) return cudaErrorInvalidValue;
    if (const cudaError_t error = runtime.check_wait(*stream); error != cudaSuccess) return error;
    runtime.enqueue(*stream, [pointer] {
      Memory& memory = Runtime::instance().memory;
      if (memory.find(pointer) == nullptr) fault("memory was freed twice");
      memory.release(pointer);
      return cudaSuccess;
    });
    return cudaSuccess;
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return call("cudaHostAlloc", CallKind::unsafe,
              [&](Runtime& runtime) { return allocate(runtime, MemoryKind::pinned, pointer, bytes); });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return call("cudaMallocHost", CallKind::unsafe,
              [&](Runtime& runtime) { return allocate(runtime, MemoryKind::pinned, pointer, bytes); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call("cudaFreeHost", CallKind::unsafe, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaSuccess;
    if (!begins_allocation(runtime, pointer, MemoryKind::pinned)) return cudaErrorInvalidValue;
    ++runtime.counters.synchronizations;
    for (int device = 0; device < max_devices; ++device) runtime.complete_device(device);
    runtime.memory.release(pointer);
    return runtime.device(current_device()).error;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", CallKind::unsafe, [&](Runtime& runtime) {
    CUstream_st& stream = runtime.device(current_device()).legacy;
    if (const cudaError_t error = copy(runtime, stream, to, from, bytes, kind); error != cudaSuccess) {
      return error;
    }
    ++runtime.counters.synchronizations;
    return runtime.complete_stream(stream);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t handle) {
  return call("cudaMemcpyAsync", CallKind::plain, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    return copy(runtime, *stream, to, from, bytes, kind);
  });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t handle) {
  return call("cudaMemsetAsync", CallKind::plain, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    const Side side = side_of(runtime, to, bytes);
    if (side.pageable || !side.fits) return cudaErrorInvalidValue;
    return runtime.submit(
        *stream,
        [=] {
          check_still_there(side, to, bytes, "cudaMemsetAsync writes");
          const Memory::Opened opened(Runtime::instance().memory, side.device, "cudaMemsetAsync");
          std::memset(to, value, bytes);
          return cudaSuccess;
        },
        false);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call("cudaPointerGetAttributes", CallKind::plain, [&](Runtime& runtime) {
    *attributes = {.type = cudaMemoryTypeUnregistered,
                   .device = -1,
                   .devicePointer = nullptr,
                   .hostPointer = const_cast<void*>(pointer)};
    const Allocation* const found = runtime.memory.find(pointer);
    if (found == nullptr) return cudaSuccess;
    const bool on_device = found->kind == MemoryKind::device;
    attributes->type = on_device ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
    attributes->device = found->device;
    attributes->devicePointer = const_cast<void*>(pointer);
    if (on_device) attributes->hostPointer = nullptr;
    return cudaSuccess;
  });
}

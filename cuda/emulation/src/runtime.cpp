#include "runtime.hpp"

#include <algorithm>
#include <utility>

namespace percepts::cuda::emulation {

int& current_device() {
  static thread_local int device = 0;
  return device;
}

cudaError_t& last_error() {
  static thread_local cudaError_t error = cudaSuccess;
  return error;
}

Runtime& Runtime::instance() {
  static auto& runtime = *new Runtime;  // outlives whatever still calls at the end of the program
  return runtime;
}

Runtime::Runtime() {
  for (int i = 0; i < max_devices; ++i) {
    device(i).legacy.device = i;
    device(i).legacy.legacy = true;
  }
}

cudaError_t Runtime::begin_call(const char* function, CallKind kind) {
  const auto planned = std::find_if(failures_.begin(), failures_.end(),
                                    [function](const auto& failure) { return failure.function == function; });
  if (planned != failures_.end() && planned->calls_before-- == 0) {
    const cudaError_t error = planned->error;
    failures_.erase(planned);
    return error;
  }
  if (driver_version < runtime_version) return cudaErrorInsufficientDriver;
  if (device_count == 0) return cudaErrorNoDevice;
  if (const cudaError_t error = device(current_device()).error; error != cudaSuccess) return error;
  if (kind == CallKind::unsafe) {
    bool refused = false;
    for (const auto& capture : captures) {
      if (!capture->forbids_unsafe_calls()) continue;
      capture->invalidate();
      refused = true;
    }
    if (refused) return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

void Runtime::fail_call(std::string function, cudaError_t error, unsigned calls_before) {
  failures_.push_back({.function = std::move(function), .error = error, .calls_before = calls_before});
}

void Runtime::forget_errors() {
  failures_.clear();
  for (Device& device : devices_) device.error = cudaSuccess;
}

cudaStream_t Runtime::find_stream(cudaStream_t handle) {
  Device& current = device(current_device());
  if (handle == nullptr || handle == cudaStreamLegacy) return &current.legacy;
  if (handle == cudaStreamPerThread) {
    CUstream_st& stream = current.per_thread[std::this_thread::get_id()];
    stream.device = current_device();
    return &stream;
  }
  for (const Device& device : devices_) {
    if (device.streams.contains(handle)) return handle;
  }
  return nullptr;
}

template <class Use>
void Runtime::for_each_stream(int index, Use use) {
  Device& chosen = device(index);
  use(chosen.legacy);
  for (auto& [thread, stream] : chosen.per_thread) use(stream);
  for (const cudaStream_t stream : chosen.streams) use(*stream);
}

OperationPointer Runtime::enqueue(CUstream_st& stream, std::function<cudaError_t()> work,
                                  const OperationPointer& also_after) {
  auto operation = std::make_shared<Operation>();
  operation->work = std::move(work);
  operation->device = stream.device;
  const auto add = [&operation](const OperationPointer& before) {
    if (before != nullptr && !before->done) operation->after.push_back(before);
  };
  add(stream.tail);
  add(also_after);
  if (stream.legacy) {
    for_each_stream(stream.device, [&add](const CUstream_st& other) {
      if (other.blocking) add(other.tail);
    });
    for (const OperationPointer& orphan : device(stream.device).orphans) add(orphan);
  } else if (stream.blocking) {
    add(device(stream.device).legacy.tail);
  }
  stream.tail = operation;
  return operation;
}

cudaError_t Runtime::submit(CUstream_st& stream, std::function<cudaError_t()> work, bool is_kernel) {
  if (const cudaError_t error = check_capture(stream); error != cudaSuccess) return error;
  if (stream.capture == nullptr) {
    if (is_kernel) ++counters.launches;
    enqueue(stream, std::move(work));
    return cudaSuccess;
  }
  const std::size_t node = stream.capture->add(
      {.work = std::move(work), .is_kernel = is_kernel, .after = std::move(stream.captured_tail)});
  stream.captured_tail = {node};
  return cudaSuccess;
}

cudaError_t Runtime::check_capture(CUstream_st& stream) {
  if (stream.capture != nullptr) {
    return stream.capture->is_valid() ? cudaSuccess : cudaErrorStreamCaptureInvalidated;
  }
  if (stream.legacy && is_capturing_blocking_stream(stream.device)) {
    invalidate_captures(stream.device);
    return cudaErrorStreamCaptureImplicit;
  }
  return cudaSuccess;
}

cudaError_t Runtime::check_wait(CUstream_st& stream) {
  if (stream.capture != nullptr) {
    const bool was_valid = stream.capture->is_valid();
    stream.capture->invalidate();
    return was_valid ? cudaErrorStreamCaptureUnsupported : cudaErrorStreamCaptureInvalidated;
  }
  return check_capture(stream);
}

bool Runtime::is_capturing(int index) {
  bool found = false;
  for_each_stream(index, [&found](const CUstream_st& stream) { found = found || stream.capture != nullptr; });
  return found;
}

bool Runtime::is_capturing_blocking_stream(int index) {
  bool found = false;
  for_each_stream(index, [&found](const CUstream_st& stream) {
    found = found || (stream.blocking && stream.capture != nullptr);
  });
  return found;
}

void Runtime::invalidate_captures(int index) {
  for_each_stream(index, [](CUstream_st& stream) {
    if (stream.capture != nullptr) stream.capture->invalidate();
  });
}

void Runtime::end_capture(const std::shared_ptr<Capture>& capture) {
  for (int i = 0; i < max_devices; ++i) {
    for_each_stream(i, [&capture](CUstream_st& stream) {
      if (stream.capture != capture) return;
      stream.capture = nullptr;
      stream.captured_tail.clear();
    });
  }
  capture->close();
  captures.erase(capture);
}

void Runtime::run(Operation& operation) {
  cudaError_t& error = device(operation.device).error;
  if (error == cudaSuccess && operation.work) error = operation.work();
  operation.done = true;
  operation.work = nullptr;
  operation.after.clear();
}

// With a list instead of recursion: a stream may hold any number of operations.
cudaError_t Runtime::complete(const OperationPointer& operation) {
  if (operation == nullptr) return cudaSuccess;
  std::vector<OperationPointer> waiting{operation};
  while (!waiting.empty()) {
    const OperationPointer next = waiting.back();
    bool free = true;
    for (const OperationPointer& before : next->after) {
      if (next->done || before->done) continue;
      waiting.push_back(before);
      free = false;
    }
    if (!free) continue;
    if (!next->done) run(*next);
    waiting.pop_back();
  }
  return device(operation->device).error;
}

cudaError_t Runtime::query(const OperationPointer& operation) {
  if (operation == nullptr) return cudaSuccess;
  if (operation->done) return device(operation->device).error;
  const auto is_waiting = [](const OperationPointer& before) { return !before->done; };
  OperationPointer next = operation;
  for (;;) {
    const auto before = std::find_if(next->after.begin(), next->after.end(), is_waiting);
    if (before == next->after.end()) break;
    next = OperationPointer(*before);
  }
  run(*next);
  return cudaErrorNotReady;
}

cudaError_t Runtime::complete_stream(CUstream_st& stream) {
  complete(stream.tail);
  if (stream.legacy) {
    // Waiting for the legacy stream is itself work of that stream, after all blocking ones.
    for_each_stream(stream.device, [this](const CUstream_st& other) {
      if (other.blocking) complete(other.tail);
    });
  }
  return device(stream.device).error;
}

cudaError_t Runtime::complete_device(int index) {
  for_each_stream(index, [this](const CUstream_st& stream) { complete(stream.tail); });
  Device& chosen = device(index);
  for (const OperationPointer& orphan : chosen.orphans) complete(orphan);
  chosen.orphans.clear();
  return chosen.error;
}

}  // namespace percepts::cuda::emulation

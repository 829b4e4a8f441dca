#include <cstdint>

#include "emulated.hpp"

using namespace emulated;

namespace {

void memory_is_poisoned_and_aligned() {
  for (const std::size_t bytes : {1, 5000, 1 << 20}) {
    auto* const memory = device_memory<unsigned char>(bytes);
    check::that(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
    for (const unsigned char value : host_copy(memory, bytes)) check::that(value == 0xA5);
    must(cudaFree(memory));
  }
}

void pointers_have_attributes() {
  must(cudaSetDevice(1));
  auto* const memory = device_memory<int>(10);
  must(cudaSetDevice(0));
  int* pinned = nullptr;
  must(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocDefault));
  const int local = 0;
  cudaPointerAttributes attributes{};
  must(cudaPointerGetAttributes(&attributes, memory + 3));
  check::that(attributes.type == cudaMemoryTypeDevice && attributes.device == 1);
  check::that(attributes.devicePointer == memory + 3);
  must(cudaPointerGetAttributes(&attributes, pinned));
  check::that(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned);
  must(cudaPointerGetAttributes(&attributes, &local));
  check::that(attributes.type == cudaMemoryTypeUnregistered);
  must(cudaFree(memory));
  must(cudaPointerGetAttributes(&attributes, memory));
  check::that(attributes.type == cudaMemoryTypeUnregistered);
  must(cudaFreeHost(pinned));
}

void wrong_arguments_are_refused() {
  auto* const memory = device_memory<int>(4);
  int values[5] = {};
  fails(cudaMemcpy(memory, values, 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  fails(cudaMemcpy(memory, values, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  fails(cudaMemcpy(values, memory + 1, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  fails(cudaMemsetAsync(values, 0, 4), cudaErrorInvalidValue);
  fails(cudaMemsetAsync(memory, 0, 17), cudaErrorInvalidValue);
  fails(cudaFree(memory + 1), cudaErrorInvalidValue);
  fails(cudaFree(values), cudaErrorInvalidValue);
  fails(cudaFreeHost(memory), cudaErrorInvalidValue);
  must(cudaFree(memory));
  must(cudaFree(nullptr));
  must(cudaFreeHost(nullptr));
  void* none = values;
  must(cudaMalloc(&none, 0));
  check::that(none == nullptr);
  fails(cudaMalloc(&none, SIZE_MAX / 2), cudaErrorMemoryAllocation);
}

struct Fill {
  int* target;
};

__global__ void fill(const __grid_constant__ Fill params) { *params.target = 7; }

void freeing_waits_as_cuda_does() {
  const cudaStream_t stream = make_stream();
  int* memory = nullptr;
  int value = 0;
  must(cudaMallocAsync(&memory, sizeof(int), stream));
  must(launch(fill, {1, 1}, stream, {memory}));
  must(cudaMemcpyAsync(&value, memory, sizeof(int), cudaMemcpyDeviceToHost, stream));
  must(launch(fill, {1, 1}, stream, {memory}));
  must(cudaFreeAsync(memory, stream));  // in the order of the stream
  must(cudaStreamSynchronize(stream));
  check::that(value == 7);
  fails(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);

  memory = device_memory<int>(1);
  must(launch(fill, {1, 1}, stream, {memory}));
  must(cudaFree(memory));  // once all work of the device is done
  must(cudaStreamSynchronize(stream));
}

void calls_are_counted() {
  const emulation::Counters before = emulation::counters();
  const cudaStream_t stream = make_stream();
  auto* const memory = device_memory<int>(1);
  int* pinned = nullptr;
  must(cudaMallocHost(&pinned, sizeof(int)));
  must(launch(fill, {1, 1}, stream, {memory}));
  must(cudaMemcpyAsync(pinned, memory, sizeof(int), cudaMemcpyDeviceToHost, stream));
  must(cudaStreamSynchronize(stream));
  auto* const foreign = static_cast<int*>(emulation::allocate(0, sizeof(int)));
  int value = 0;
  emulation::write(foreign, &value, sizeof value);
  must(launch(fill, {1, 1}, stream, {foreign}));
  must(emulation::read(&value, foreign, sizeof value));
  check::that(value == 7);
  emulation::release(foreign);
  const emulation::Counters after = emulation::counters();
  check::that(after.launches - before.launches == 2);
  check::that(after.allocations - before.allocations == 2);
  check::that(after.synchronizations - before.synchronizations == 1);
}

}  // namespace

int main() {
  memory_is_poisoned_and_aligned();
  pointers_have_attributes();
  wrong_arguments_are_refused();
  freeing_waits_as_cuda_does();
  calls_are_counted();
}

#include "emulation/control.hpp"

#include <cstring>
#include <string>

#include "fault.hpp"
#include "runtime.hpp"

namespace percepts::cuda::emulation {
namespace {

int device_of(const Runtime& runtime, const void* memory, std::size_t bytes) {
  const Allocation* const found = runtime.memory.find(memory);
  if (found == nullptr || found->kind != MemoryKind::device ||
      static_cast<const std::byte*>(memory) + bytes > found->begin + found->bytes) {
    fault("only a device's memory can be read and written");
  }
  return found->device;
}

}  // namespace

Counters counters() {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  return runtime.counters;
}

void fail_call(std::string_view function, cudaError_t error, unsigned calls_before) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  runtime.fail_call(std::string(function), error, calls_before);
}

cudaError_t fail_work(cudaStream_t handle, cudaError_t error) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  const cudaStream_t stream = runtime.find_stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  return runtime.submit(*stream, [error] { return error; }, false);
}

void leave_error(cudaError_t error) { last_error() = error; }

void forget_errors() {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  runtime.forget_errors();
  last_error() = cudaSuccess;
}

void set_device_count(int count) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  if (count < 0 || count > max_devices)
    fault("there can be 0 to " + std::to_string(max_devices) + " devices");
  runtime.device_count = count;
}

void set_driver_version(int version) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  runtime.driver_version = version;
}

void* allocate(int device, std::size_t bytes) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  void* const pointer = runtime.memory.allocate(MemoryKind::device, device, bytes);
  if (pointer == nullptr) fault("no memory for " + std::to_string(bytes) + " bytes of a device");
  return pointer;
}

void release(void* pointer) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  const Allocation* const found = runtime.memory.find(pointer);
  if (found == nullptr || found->begin != pointer) fault("only what was allocated can be released");
  runtime.memory.release(pointer);
}

void write(void* to, const void* from, std::size_t bytes) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  const Memory::Opened opened(runtime.memory, device_of(runtime, to, bytes), "a write by the host");
  std::memcpy(to, from, bytes);
}

cudaError_t read(void* to, const void* from, std::size_t bytes) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  const int device = device_of(runtime, from, bytes);
  if (const cudaError_t error = runtime.complete_device(device); error != cudaSuccess) return error;
  const Memory::Opened opened(runtime.memory, device, "a read by the host");
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

}  // namespace percepts::cuda::emulation

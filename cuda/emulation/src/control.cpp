#include "emulation/control.hpp"

#include <string>

#include "fault.hpp"
#include "runtime.hpp"

namespace percepts::cuda::emulation {

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

}  // namespace percepts::cuda::emulation

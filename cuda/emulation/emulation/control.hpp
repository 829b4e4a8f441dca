#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "emulation/host_api.hpp"

// What tests ask of the emulation itself; CUDA has none of it.

namespace percepts::cuda::emulation {

/// What was asked of the runtime since the program began. A captured call counts when its graph is launched.
struct Counters {
  std::uint64_t launches = 0;
  std::uint64_t allocations = 0;       ///< of device and of pinned memory
  std::uint64_t synchronizations = 0;  ///< calls that make the host wait for a device
};

#pragma GCC visibility push(hidden)

Counters counters();

/// The next call of this function fails, after so many calls that do not. Kernels are launched by
/// "cudaLaunchKernel".
void fail_call(std::string_view function, cudaError_t error, unsigned calls_before = 0);
/// Work that will fail when the stream gets there; from then on every call on its device fails with this
/// error.
cudaError_t fail_work(cudaStream_t stream, cudaError_t error);
/// As if an earlier call of this thread had failed and nobody had looked.
void leave_error(cudaError_t error);
/// Forgets calls that were to fail, this thread's last error, and the errors of devices.
void forget_errors();

/// How many devices there are; with none, calls fail with cudaErrorNoDevice.
void set_device_count(int count);
inline constexpr int max_devices = 2;
/// Zero where there is no driver; with one older than the runtime, calls fail with
/// cudaErrorInsufficientDriver.
void set_driver_version(int version);
inline constexpr int runtime_version = 13000;

/// Memory of a device as a framework's own allocator gives it: neither counted nor synchronising. What is
/// released may not be touched any more, not even by work that is already waiting in a stream.
void* allocate(int device, std::size_t bytes);
void release(void* pointer);
/// Copies from host memory at once, whatever waits in streams; not counted.
void write(void* to, const void* from, std::size_t bytes);
/// Copies to host memory once all work of the device is done; not counted. The device's error, if it has one.
cudaError_t read(void* to, const void* from, std::size_t bytes);

/// Whether the threads of a block run on OS threads, rather than as fibers. Not under the thread sanitizer.
void run_on_os_threads(bool wanted);

#pragma GCC visibility pop

}  // namespace percepts::cuda::emulation

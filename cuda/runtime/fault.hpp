#pragma once

#include <cuda_runtime.h>

#include <string>

// Faults of CUDA as exceptions.

namespace percepts::cuda {

/// What is being done, for messages: "reading depth" on a device.
struct Doing {
  const char* what;
  int device;
};

/// Throws DeviceError for a fault that occurred meanwhile. CUDA's memory of the last fault is cleared.
[[noreturn]] void fail(cudaError_t fault, const Doing& doing);

inline void check(cudaError_t result, const Doing& doing) {
  if (result != cudaSuccess) fail(result, doing);
}

/// The same before any work of ours: a fault that stays until the process ends was left by earlier work.
void check_first(cudaError_t result, const Doing& doing);

/// Throws DeviceError where earlier work has left a fault that nobody has seen.
void check_nothing_left(const Doing& doing);

}  // namespace percepts::cuda

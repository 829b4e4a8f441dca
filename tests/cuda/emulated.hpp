#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <vector>

#include "check.hpp"
#include "emulation/control.hpp"
#include "launch.hpp"

// What the tests of the emulation share.

namespace emulated {

namespace emulation = percepts::cuda::emulation;
using percepts::cuda::launch;

inline void must(cudaError_t error, const std::source_location where = std::source_location::current()) {
  check::text(cudaGetErrorName(error), "cudaSuccess", where);
}

/// The call fails with this error, which is then the thread's last one.
inline void fails(cudaError_t actual, cudaError_t expected,
                  const std::source_location where = std::source_location::current()) {
  check::text(cudaGetErrorName(actual), cudaGetErrorName(expected), where);
  check::text(cudaGetErrorName(cudaGetLastError()), cudaGetErrorName(expected), where);
}

template <class T>
T* device_memory(std::size_t count) {
  T* memory = nullptr;
  must(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}

template <class T>
T* device_copy(const std::vector<T>& values) {
  T* const memory = device_memory<T>(values.size());
  must(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T>
std::vector<T> host_copy(const T* memory, std::size_t count) {
  std::vector<T> values(count);
  must(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

inline cudaStream_t make_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}

inline cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

}  // namespace emulated

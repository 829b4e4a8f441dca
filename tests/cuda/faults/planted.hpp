#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "launch.hpp"

// Programs with one planted fault each. With the argument "mended" they leave it out, and must end well.

namespace planted {

inline bool is_mended(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "mended"; }

/// Ends the program with CUDA's name of the error.
inline void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorName(error));
  std::exit(1);
}

template <class T>
T* device_memory(std::size_t count) {
  T* memory = nullptr;
  must(cudaMalloc(&memory, count * sizeof(T)));
  must(cudaMemsetAsync(memory, 0, count * sizeof(T)));
  return memory;
}

template <class Params>
void run(void (*kernel)(Params), percepts::cuda::LaunchShape shape, const Params& params) {
  must(percepts::cuda::launch(kernel, shape, nullptr, params));
  must(cudaDeviceSynchronize());
}

}  // namespace planted

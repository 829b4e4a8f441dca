#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#ifdef PERCEPTS_CUDA_EMULATED
#include <source_location>
#endif

// The one place that launches kernels, for CUDA and for its emulation alike.

namespace percepts::cuda {

/// Grids and blocks have one dimension. `shared` is the dynamic shared memory of a block, in bytes.
struct LaunchShape {
  unsigned grid = 1;
  unsigned block = 1;
  std::size_t shared = 0;
};

/// Launches a kernel whose one parameter is a struct; `params` is copied before this returns.
template <class Params>
[[nodiscard]] cudaError_t launch(void (*kernel)(Params), LaunchShape shape, cudaStream_t stream,
                                 const std::type_identity_t<Params>& params) {
  static_assert(std::is_trivially_copyable_v<Params>, "a kernel's parameters are copied as bytes");
#ifdef PERCEPTS_CUDA_EMULATED
  return emulation::submit({.thread = [kernel, params] { kernel(params); },
                            .name = std::source_location::current().function_name(),
                            .grid = shape.grid,
                            .block = shape.block,
                            .shared = shape.shared},
                           stream);
#else
  void* arguments[] = {const_cast<Params*>(&params)};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(shape.grid), dim3(shape.block),
                          arguments, shape.shared, stream);
#endif
}

/// The dynamic shared memory of the calling thread's block, aligned to 16 bytes. Device code only.
template <class T>
__device__ inline T* dynamic_shared() {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 16);
#ifdef PERCEPTS_CUDA_EMULATED
  return static_cast<T*>(emulation::dynamic_shared_memory());
#else
  extern __shared__ __align__(16) unsigned char percepts_dynamic_shared[];
  return reinterpret_cast<T*>(percepts_dynamic_shared);
#endif
}

}  // namespace percepts::cuda

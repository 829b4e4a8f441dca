#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "emulation/host_api.hpp"

namespace percepts::cuda::emulation {

/// A kernel with its arguments, ready to run: `thread` is what each CUDA thread does.
struct KernelCall {
  std::function<void()> thread;
  std::string name;
  unsigned grid = 1;
  unsigned block = 1;
  std::size_t shared = 0;
};

#pragma GCC visibility push(hidden)

/// What cudaLaunchKernel is to CUDA.
cudaError_t submit(KernelCall call, cudaStream_t stream);

#pragma GCC visibility pop

}  // namespace percepts::cuda::emulation

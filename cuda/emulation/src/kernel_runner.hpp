#pragma once

#include "emulation/submit.hpp"

namespace percepts::cuda::emulation {

/// Runs a kernel to its end. One at a time: the caller sees to that.
void run_kernel(const KernelCall& call);

}  // namespace percepts::cuda::emulation

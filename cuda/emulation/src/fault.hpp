#pragma once

#include <string_view>

namespace percepts::cuda::emulation {

/// Ends the program: what happened has no defined result on a device, so no test may go on after it.
[[noreturn]] void fault(std::string_view what);

}  // namespace percepts::cuda::emulation

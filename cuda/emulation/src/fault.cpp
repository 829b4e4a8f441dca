#include "fault.hpp"

#include <cstdio>
#include <cstdlib>

namespace percepts::cuda::emulation {

void fault(std::string_view what) {
  std::fprintf(stderr, "CUDA emulation: %.*s\n", static_cast<int>(what.size()), what.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace percepts::cuda::emulation

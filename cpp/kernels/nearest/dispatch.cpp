#include "kernels/columns/dispatch.hpp"

#include <string_view>

#include "kernels/nearest/nearest.hpp"

namespace percepts::kernels {
namespace {

const NearestKernels& chosen() {
#if defined(__aarch64__)
  return neon_nearest;
#else
#if defined(__x86_64__)
  const std::string_view name = column_kernels().name;
  if (name == avx512_nearest.name) return avx512_nearest;
  if (name == avx2_nearest.name) return avx2_nearest;
#endif
  return baseline_nearest;
#endif
}

}  // namespace

const NearestKernels& nearest_kernels() {
  static const NearestKernels& kernels = chosen();
  return kernels;
}

}  // namespace percepts::kernels

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/nearest/nearest.hpp"

namespace percepts::kernels {
namespace {

constexpr int vector_bytes = 32;

#include "kernels/nearest/implementation.inc"

}  // namespace

const NearestKernels avx2_nearest = table("avx2");

}  // namespace percepts::kernels

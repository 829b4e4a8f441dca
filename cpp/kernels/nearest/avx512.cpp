#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/nearest/nearest.hpp"

namespace percepts::kernels {
namespace {

constexpr int vector_bytes = 64;

#include "kernels/nearest/implementation.inc"

}  // namespace

const NearestKernels avx512_nearest = table("avx512");

}  // namespace percepts::kernels

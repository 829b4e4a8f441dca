#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/nearest/nearest.hpp"

namespace percepts::kernels {
namespace {

constexpr int vector_bytes = 16;

#include "kernels/nearest/implementation.inc"

}  // namespace

const NearestKernels baseline_nearest = table("baseline");

}  // namespace percepts::kernels

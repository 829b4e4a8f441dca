#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/columns/columns.hpp"
#include "kernels/columns/instruction_sets.hpp"

namespace percepts::kernels {
namespace {

constexpr int vector_bytes = 32;

#include "kernels/columns/implementation.inc"

}  // namespace

const ColumnKernels avx2_columns = table("avx2");

}  // namespace percepts::kernels

#pragma once

#include "kernels/columns/columns.hpp"

namespace percepts::kernels {

// One translation unit each. Only those of this build's architecture are linked.
extern const ColumnKernels baseline_columns;  ///< whatever the compiler takes for granted
extern const ColumnKernels avx2_columns;      ///< x86-64-v3
extern const ColumnKernels avx512_columns;    ///< x86-64-v4
extern const ColumnKernels neon_columns;      ///< aarch64, which always has it

}  // namespace percepts::kernels

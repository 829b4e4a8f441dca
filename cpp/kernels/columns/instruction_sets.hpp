#pragma once

#include "kernels/columns/columns.hpp"

namespace percepts::kernels {

// One translation unit each. Only those that this build's architecture knows are linked.
extern const ColumnKernels baseline_columns;
extern const ColumnKernels avx2_columns;
extern const ColumnKernels avx512_columns;

}  // namespace percepts::kernels

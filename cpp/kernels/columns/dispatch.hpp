#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/columns/columns.hpp"

namespace percepts::kernels {

/// Kernels of the best instruction set that this machine has, or of the one that the environment variable
/// PERCEPTS_ISA names. Throws InvalidArgument when it names one that is not there.
const ColumnKernels& column_kernels();

}  // namespace percepts::kernels

#pragma once

#include <cstdint>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/kernels.hpp"

namespace percepts::kernels {

/// Means of cells with the signs that they have by definition.
struct MeanSigns {
  std::vector<double> mean;       ///< NaN without a valid pixel
  std::vector<std::int8_t> sign;  ///< -1 below zero, else +1; 0 without a valid pixel
};

/// The signs of the means that statistics of the field give, taken again where rounding leaves them open.
MeanSigns mean_signs(const Field& field, const Grid& grid, const GridStats& stats);

}  // namespace percepts::kernels

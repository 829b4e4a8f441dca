#pragma once

#include <cstdint>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/kernels.hpp"

namespace percepts::kernels {

/// Means of cells with the signs that they have by definition.
struct MeanSigns {
  std::vector<double> mean;         ///< NaN without a valid pixel
  std::vector<std::int32_t> count;  ///< valid pixels
  std::vector<std::int8_t> sign;    ///< -1 below zero, else +1; 0 without a valid pixel
};

/// Throws InvalidArgument when the grid does not fit the field.
MeanSigns mean_signs(const Field& field, const Grid& grid);

/// The same from statistics of the field.
MeanSigns mean_signs(const Field& field, const Grid& grid, const GridStats& stats);

}  // namespace percepts::kernels

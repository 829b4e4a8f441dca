#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"

namespace percepts {

/// Statistics of each cell over its valid pixels, row-major. NaN where `count` is 0.
struct GridStats {
  std::vector<double> min;
  std::vector<double> max;
  std::vector<double> mean;
  std::vector<std::int32_t> count;
};

/// Minimum, maximum, mean and number of the valid pixels of each cell, in the field's own values.
///
/// The mean is the sum of the values, row by row in float64 (exactly for integers of up to 32 bits), divided
/// by their count. Throws InvalidArgument when the grid does not fit the field.
GridStats grid_stats(const Field& field, const Grid& grid);

/// The middle value of each cell's valid pixels, row-major: for an even number the mean of the two middle
/// ones in float64.
struct CellMedians {
  std::vector<double> median;       ///< NaN where `count` is 0
  std::vector<std::int32_t> count;  ///< valid pixels
};

/// Median of each cell, in the field's own values. Throws InvalidArgument when the grid does not fit the
/// field.
CellMedians cell_median(const Field& field, const Grid& grid);

/// Sign of each cell's mean: -1 when it is below zero, else +1; 0 in a cell without a valid pixel.
/// The field is the component of the flow that is to be read.
std::vector<std::int8_t> flow_sign(const Field& component, const Grid& grid);

/// Throws InvalidArgument unless `tau` is finite and at least 0.
void check_tau(double tau);

/// Which of two neighbouring cells is in front, decided on the means given (larger is nearer).
///
/// Two values a cell, for its right and its lower neighbour: +1 when this cell's mean exceeds the neighbour's
/// by more than `tau`, -1 when the neighbour's exceeds this one's, else 0 (also without a neighbour, or when
/// either mean is NaN). Throws InvalidArgument for a bad `tau`, a grid without cells, or another
/// number of means than of cells.
std::vector<std::int8_t> neighbor_relations(std::span<const double> mean, const Grid& grid, double tau);

}  // namespace percepts

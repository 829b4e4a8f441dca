#pragma once

#include <vector>

#include "kernels/columns/columns.hpp"
#include "percepts/field.hpp"
#include "percepts/grid.hpp"

namespace percepts::kernels {

/// What is wanted of each cell, besides the sum and the number of its valid pixels.
enum class Want : std::uint8_t { extremes, magnitude };

/// Totals of each cell over its valid pixels, row-major. The grid fits the field.
std::vector<CellTotal> grid_totals(const Field& field, const Grid& grid, Want want);

}  // namespace percepts::kernels

#pragma once

#include <cstdint>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/reading.hpp"

namespace percepts::kernels {

/// Pixels [x0, x1) × [y0, y1) of one cell.
struct CellRect {
  std::int64_t y0, y1, x0, x1;
};

CellRect cell_rect(const Grid& grid, const Extent& extent, std::int64_t cell);

/// Mean of a cell whose pixels are mapped before they are summed (where the map clips some of them).
double mean_of_readings(const Field& field, const CellRect& cell, const ReadingMap& map);

/// Mean of a float64 cell whose plain sum overflows.
double mean_without_overflow(const Field& field, const CellRect& cell);

}  // namespace percepts::kernels

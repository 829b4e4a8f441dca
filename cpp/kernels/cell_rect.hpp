#pragma once

#include <cstdint>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"

namespace percepts::kernels {

/// Pixels [x0, x1) × [y0, y1) of one cell.
struct CellRect {
  std::int64_t y0, y1, x0, x1;
};

/// Pixels of the cell at row-major index `cell`.
constexpr CellRect cell_rect(const Grid& grid, const Extent& extent, std::int64_t cell) {
  const std::int64_t row = cell / grid.cols;
  const std::int64_t col = cell % grid.cols;
  return {.y0 = cell_edge(row, extent.height, grid.rows),
          .y1 = cell_edge(row + 1, extent.height, grid.rows),
          .x0 = cell_edge(col, extent.width, grid.cols),
          .x1 = cell_edge(col + 1, extent.width, grid.cols)};
}

}  // namespace percepts::kernels

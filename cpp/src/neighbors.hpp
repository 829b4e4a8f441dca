#pragma once

#include <cstdint>

#include "percepts/grid.hpp"

namespace percepts {

/// Calls `visit(a, b)` for each two neighbouring cells, counted from 0: for each cell first the one to its
/// right, then the one below.
template <class Visitor>
void for_each_neighbors(const Grid& grid, Visitor visit) {
  for (std::int32_t row = 0; row < grid.rows; ++row) {
    for (std::int32_t col = 0; col < grid.cols; ++col) {
      const std::int32_t cell = row * grid.cols + col;
      if (col + 1 < grid.cols) visit(cell, cell + 1);
      if (row + 1 < grid.rows) visit(cell, cell + grid.cols);
    }
  }
}

}  // namespace percepts

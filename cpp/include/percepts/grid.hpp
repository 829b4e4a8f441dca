#pragma once

#include <cstdint>

#include "percepts/field.hpp"

namespace percepts {

/// A grid of rows×cols cells over a map, numbered from 1 in row-major order.
struct Grid {
  std::int32_t rows = 10;
  std::int32_t cols = 10;

  constexpr std::int64_t cells() const { return std::int64_t{rows} * cols; }
};

/// First pixel of cell `index` when `extent` pixels are cut into `count` cells: floor(index·extent/count).
/// Written so that no product exceeds count², for any extent.
constexpr std::int64_t cell_edge(std::int64_t index, std::int64_t extent, std::int64_t count) {
  return index * (extent / count) + index * (extent % count) / count;
}

/// Canonical location of a whole pixel on an axis of `extent` pixels: floor(1000·pixel/extent).
constexpr std::int64_t canonical(std::int64_t pixel, std::int64_t extent) { return 1000 * pixel / extent; }

/// Canonical location of the centre of cell `index`: that of the pixel (first + last)//2.
constexpr std::int64_t cell_center(std::int64_t index, std::int64_t extent, std::int64_t count) {
  const std::int64_t first = cell_edge(index, extent, count);
  const std::int64_t last = cell_edge(index + 1, extent, count) - 1;
  return canonical((first + last) / 2, extent);
}

/// Throws InvalidArgument unless the grid has a cell.
void check_grid(const Grid& grid);

/// Throws InvalidArgument unless every cell of the grid holds at least one pixel of the map.
void check_grid(const Grid& grid, const Extent& extent);

}  // namespace percepts

#include "kernels/cell_means.hpp"

#include "kernels/valid_pixels.hpp"

namespace percepts::kernels {
namespace {

/// Sum of `term(value)` over the valid pixels of a cell, row by row in float64, divided by their number.
template <class Term>
double mean_of(const Field& field, const CellRect& cell, Term term) {
  return visit_element(field.dtype, [&]<class Element>(Element) {
    const auto sentinels = sentinels_of<Element>(field);
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
      for_each_valid<Element>(run_of(field, y, cell.x0, cell.x1), sentinels, [&](auto value) {
        sum += term(static_cast<double>(value));
        ++count;
      });
    }
    return sum / static_cast<double>(count);
  });
}

}  // namespace

CellRect cell_rect(const Grid& grid, const Extent& extent, std::int64_t cell) {
  const std::int64_t row = cell / grid.cols;
  const std::int64_t col = cell % grid.cols;
  return {.y0 = cell_edge(row, extent.height, grid.rows),
          .y1 = cell_edge(row + 1, extent.height, grid.rows),
          .x0 = cell_edge(col, extent.width, grid.cols),
          .x1 = cell_edge(col + 1, extent.width, grid.cols)};
}

double mean_of_readings(const Field& field, const CellRect& cell, const ReadingMap& map) {
  return mean_of(field, cell, [&](double value) { return reading(map, value); });
}

double mean_without_overflow(const Field& field, const CellRect& cell) {
  // Exact scaling by a power of two leaves room for 2^64 summands of any size.
  return mean_of(field, cell, [](double value) { return value * 0x1p-64; }) * 0x1p64;
}

}  // namespace percepts::kernels

#include "kernels/cell_means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/valid_pixels.hpp"

namespace percepts::kernels {
namespace {

/// Calls `visit` with each valid value of a cell, row by row, as float64.
template <class Visitor>
void for_each_value(const Field& field, const CellRect& cell, Visitor visit) {
  visit_element(field.dtype, [&]<class Element>(Element) {
    const auto sentinels = sentinels_of<Element>(field);
    for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
      for_each_valid<Element>(run_of(field, y, cell.x0, cell.x1), sentinels,
                              [&](auto value) { visit(static_cast<double>(value)); });
    }
  });
}

/// Sum of `term(value)` over the values of a cell, divided by their number.
template <class Term>
double mean_of(const Field& field, const CellRect& cell, Term term) {
  double sum = 0;
  std::int64_t count = 0;
  for_each_value(field, cell, [&](double value) {
    sum += term(value);
    ++count;
  });
  return sum / static_cast<double>(count);
}

/// The mean where the plain sum overflows.
double mean_without_overflow(const Field& field, const CellRect& cell) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for_each_value(field, cell, [&](double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  });
  // Exact scaling by a power of two leaves room for 2^64 summands of any size.
  const double mean = mean_of(field, cell, [](double value) { return value * 0x1p-64; }) * 0x1p64;
  return std::clamp(mean, low, high);
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

double defined_mean(const Field& field, const CellRect& cell) {
  const double mean = mean_of(field, cell, [](double value) { return value; });
  return std::isfinite(mean) ? mean : mean_without_overflow(field, cell);
}

double defined_mean_of_readings(const Field& field, const CellRect& cell, const ReadingMap& map) {
  return mean_of(field, cell, [&](double value) { return reading(map, value); });
}

double limited_mean(const Field& field, const CellRect& cell, double low, double high) {
  std::array<double, 8> lanes{};
  std::size_t count = 0;
  for_each_value(field, cell, [&](double value) {
    lanes[count % lanes.size()] += std::min(std::max(value, low), high);
    ++count;
  });
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum / static_cast<double>(count);
}

}  // namespace percepts::kernels

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cell_means.hpp"
#include "kernels/valid_pixels.hpp"
#include "percepts/kernels.hpp"

namespace percepts {
namespace {

using namespace kernels;

template <class Value>
struct Accumulator {
  Value min = std::numeric_limits<Value>::max();
  Value max = std::numeric_limits<Value>::lowest();
  SumOf<Value> sum = 0;
  std::int64_t count = 0;
};

template <class Element>
void add_run(const Run& run, const std::vector<typename Element::Value>& sentinels,
             Accumulator<typename Element::Value>& total) {
  using Value = typename Element::Value;
  Accumulator<Value> local = total;  // in registers: the pixels might alias `total`
  for_each_valid<Element>(run, sentinels, [&](Value value) {
    local.min = value < local.min ? value : local.min;
    local.max = value > local.max ? value : local.max;
    local.sum += static_cast<SumOf<Value>>(value);
    ++local.count;
  });
  total = local;
}

/// Appends the statistics of one row of cells, passing over the pixels in memory order.
template <class Element>
void append_band(const Field& field, const Grid& grid, std::int64_t row, GridStats& stats) {
  using Value = typename Element::Value;
  const auto& [height, width] = field.extent;
  const auto sentinels = sentinels_of<Element>(field);
  std::vector<Accumulator<Value>> cells(static_cast<std::size_t>(grid.cols));
  const std::int64_t y1 = cell_edge(row + 1, height, grid.rows);
  for (std::int64_t y = cell_edge(row, height, grid.rows); y < y1; ++y) {
    std::int64_t x0 = 0;
    for (std::int64_t col = 0; col < grid.cols; ++col) {
      const std::int64_t x1 = cell_edge(col + 1, width, grid.cols);
      add_run<Element>(run_of(field, y, x0, x1), sentinels, cells[static_cast<std::size_t>(col)]);
      x0 = x1;
    }
  }
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t col = 0; col < cells.size(); ++col) {
    const Accumulator<Value>& cell = cells[col];
    const bool empty = cell.count == 0;
    double mean = empty ? nan : static_cast<double>(cell.sum) / static_cast<double>(cell.count);
    if (!empty && !std::isfinite(mean)) {
      const std::int64_t index = row * grid.cols + static_cast<std::int64_t>(col);
      mean = std::clamp(mean_without_overflow(field, cell_rect(grid, field.extent, index)),
                        static_cast<double>(cell.min), static_cast<double>(cell.max));
    }
    stats.min.push_back(empty ? nan : static_cast<double>(cell.min));
    stats.max.push_back(empty ? nan : static_cast<double>(cell.max));
    stats.mean.push_back(mean);
    stats.count.push_back(static_cast<std::int32_t>(cell.count));
  }
}

}  // namespace

GridStats grid_stats(const Field& field, const Grid& grid) {
  check_grid(grid, field.extent);
  GridStats stats;
  const auto cells = static_cast<std::size_t>(grid.cells());
  stats.min.reserve(cells);
  stats.max.reserve(cells);
  stats.mean.reserve(cells);
  stats.count.reserve(cells);
  visit_element(field.dtype, [&]<class Element>(Element) {
    for (std::int64_t row = 0; row < grid.rows; ++row) append_band<Element>(field, grid, row, stats);
  });
  return stats;
}

}  // namespace percepts

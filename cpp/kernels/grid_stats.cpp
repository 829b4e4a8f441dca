#include <cmath>
#include <limits>

#include "kernels/cell_means.hpp"
#include "kernels/grid_totals.hpp"
#include "kernels/mean_error.hpp"
#include "percepts/kernels.hpp"

namespace percepts {

using namespace kernels;

namespace {

double mean_of(const Field& field, const Grid& grid, std::size_t cell, const CellTotal& total) {
  const double sum = sums_exactly(field.dtype) ? static_cast<double>(total.whole_sum) : total.sum;
  const double mean = sum / static_cast<double>(total.count);
  if (std::isfinite(mean)) return mean;
  return defined_mean(field, cell_rect(grid, field.extent, static_cast<std::int64_t>(cell)));
}

}  // namespace

GridStats grid_stats(const Field& field, const Grid& grid) {
  check_grid(grid, field.extent);
  const std::vector<CellTotal> totals = grid_totals(field, grid, Want::extremes);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  GridStats stats;
  stats.min.reserve(totals.size());
  stats.max.reserve(totals.size());
  stats.mean.reserve(totals.size());
  stats.count.reserve(totals.size());
  for (std::size_t cell = 0; cell < totals.size(); ++cell) {
    const CellTotal& total = totals[cell];
    const bool empty = total.count == 0;
    // Adding 0 makes 0 of −0, of which two vectors may keep either.
    stats.min.push_back(empty ? nan : total.min + 0.0);
    stats.max.push_back(empty ? nan : total.max + 0.0);
    stats.mean.push_back(empty ? nan : mean_of(field, grid, cell, total));
    stats.count.push_back(static_cast<std::int32_t>(total.count));
  }
  return stats;
}

}  // namespace percepts

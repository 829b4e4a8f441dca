#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "kernels/cell_means.hpp"
#include "kernels/grid_totals.hpp"
#include "kernels/mean_error.hpp"
#include "percepts/error.hpp"
#include "percepts/kernels.hpp"
#include "percepts/plan.hpp"
#include "src/message.hpp"

namespace percepts {

using namespace kernels;

namespace {

double mean_of(const Field& field, const Grid& grid, std::size_t cell, const CellTotal& total) {
  const double sum = sums_exactly(field.dtype) ? static_cast<double>(total.whole_sum) : total.sum;
  const double mean = sum / static_cast<double>(total.count);
  // Rounded sums of equal values may leave their range by a little.
  if (std::isfinite(mean)) return std::clamp(mean, total.min, total.max);
  return defined_mean(field, cell_rect(grid, field.extent, static_cast<std::int64_t>(cell)));
}

/// Overwrites `stats`, whose memory is used again.
void write_stats(const Field& field, const Grid& grid, const std::vector<CellTotal>& totals,
                 GridStats& stats) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  stats.min.resize(totals.size());
  stats.max.resize(totals.size());
  stats.mean.resize(totals.size());
  stats.count.resize(totals.size());
  for (std::size_t cell = 0; cell < totals.size(); ++cell) {
    const CellTotal& total = totals[cell];
    const bool empty = total.count == 0;
    // Adding 0 makes 0 of −0, of which two vectors may keep either.
    stats.min[cell] = empty ? nan : total.min + 0.0;
    stats.max[cell] = empty ? nan : total.max + 0.0;
    stats.mean[cell] = empty ? nan : mean_of(field, grid, cell, total);
    stats.count[cell] = static_cast<std::int32_t>(total.count);
  }
}

}  // namespace

GridStats grid_stats(const Field& field, const Grid& grid) {
  check_grid(grid, field.extent);
  check_sentinels(field);
  GridStats stats;
  write_stats(field, grid, grid_totals(field, grid), stats);
  return stats;
}

struct StatsPlan::Buffers {
  GridScan scan;
};

StatsPlan::StatsPlan(DType dtype, Extent extent, Grid grid)
    : dtype_(dtype), extent_(extent), grid_(grid), buffers_(std::make_unique<Buffers>()) {
  check_grid(grid, extent);
}

StatsPlan::~StatsPlan() = default;
StatsPlan::StatsPlan(StatsPlan&&) noexcept = default;
StatsPlan& StatsPlan::operator=(StatsPlan&&) noexcept = default;

const GridStats& StatsPlan::operator()(const Field& field) {
  if (field.dtype != dtype_ || field.extent.height != extent_.height || field.extent.width != extent_.width) {
    throw InvalidArgument(message("this plan is for maps of ", extent_.height, "x", extent_.width, " ",
                                  name_of(dtype_), ", got ", field.extent.height, "x", field.extent.width,
                                  " ", name_of(field.dtype)));
  }
  check_sentinels(field);
  write_stats(field, grid_, buffers_->scan.run(field, grid_), stats_);
  return stats_;
}

}  // namespace percepts

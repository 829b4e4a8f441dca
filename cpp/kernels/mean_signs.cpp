#include "kernels/mean_signs.hpp"

#include <cmath>
#include <limits>

#include "kernels/cell_means.hpp"
#include "kernels/grid_totals.hpp"
#include "kernels/mean_error.hpp"

namespace percepts::kernels {
namespace {

/// Whether a sum is far enough from zero to have the sign of the one that is defined. A sum of zeros is zero.
bool sign_is_certain(const Field& field, const CellTotal& total) {
  if (sums_exactly(field.dtype)) return true;
  if (!std::isfinite(total.sum) || !std::isfinite(total.magnitude)) return false;
  return total.magnitude == 0 ||
         std::abs(total.sum) > relative_mean_error(field.dtype, total.count) * total.magnitude;
}

double mean_with_certain_sign(const Field& field, const Grid& grid, std::size_t cell,
                              const CellTotal& total) {
  const double sum = sums_exactly(field.dtype) ? static_cast<double>(total.whole_sum) : total.sum;
  const double mean = sum / static_cast<double>(total.count);
  if (sign_is_certain(field, total)) return mean;
  return defined_mean(field, cell_rect(grid, field.extent, static_cast<std::int64_t>(cell)));
}

std::int8_t sign_of(double mean) {
  return std::isnan(mean) ? std::int8_t{0} : mean < 0 ? std::int8_t{-1} : std::int8_t{1};
}

}  // namespace

MeanSigns mean_signs(const Field& field, const Grid& grid) {
  check_grid(grid, field.extent);
  const std::vector<CellTotal> totals = grid_totals(field, grid, Want::magnitude);
  MeanSigns signs;
  signs.mean.reserve(totals.size());
  signs.count.reserve(totals.size());
  signs.sign.reserve(totals.size());
  for (std::size_t cell = 0; cell < totals.size(); ++cell) {
    const bool empty = totals[cell].count == 0;
    const double mean = empty ? std::numeric_limits<double>::quiet_NaN()
                              : mean_with_certain_sign(field, grid, cell, totals[cell]);
    signs.mean.push_back(mean);
    signs.count.push_back(static_cast<std::int32_t>(totals[cell].count));
    signs.sign.push_back(sign_of(mean));
  }
  return signs;
}

MeanSigns mean_signs(const Field& field, const Grid& grid, const GridStats& stats) {
  MeanSigns signs{.mean = stats.mean, .count = stats.count, .sign = {}};
  signs.sign.reserve(stats.mean.size());
  for (std::size_t cell = 0; cell < stats.mean.size(); ++cell) {
    double& mean = signs.mean[cell];
    const double error = mean_error(field.dtype, stats.min[cell], stats.max[cell], stats.count[cell]);
    // Not "<=": a bound that is not a number leaves the sign open.
    if (stats.count[cell] > 0 && error != 0 && !(std::abs(mean) > error)) {
      mean = defined_mean(field, cell_rect(grid, field.extent, static_cast<std::int64_t>(cell)));
    }
    signs.sign.push_back(sign_of(mean));
  }
  return signs;
}

}  // namespace percepts::kernels

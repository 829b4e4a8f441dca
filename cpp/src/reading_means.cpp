#include "src/reading_means.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/cell_means.hpp"
#include "kernels/mean_error.hpp"

namespace percepts {
namespace {

/// More than what the few operations of a map or a comparison round, relative to their largest operand.
constexpr double rounding = 0x1p-50;

double slope_of(const ReadingMap& map) {
  return 1 / (map.divisor * (map.affine ? std::abs(map.near * map.half - map.far * map.half) / map.half : 1));
}

}  // namespace

ReadingMeans::ReadingMeans(const Field& field, const Grid& grid, const ReadingMap& map,
                           const GridStats& stats)
    : field_(field), grid_(grid), map_(map), slope_(slope_of(map)) {
  const std::size_t cells = stats.count.size();
  means_.reserve(cells);
  errors_.reserve(cells);
  clipped_.reserve(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) add(stats, cell);
}

void ReadingMeans::add(const GridStats& stats, std::size_t cell) {
  const bool empty = stats.count[cell] == 0;
  const bool clipped = !empty && (clips(map_, stats.min[cell]) || clips(map_, stats.max[cell]));
  clipped_.push_back(clipped);
  if (empty || (kernels::sums_exactly(field_.dtype) && !clipped)) {
    means_.push_back(empty ? stats.mean[cell] : reading(map_, stats.mean[cell]));
    errors_.push_back(0);
    return;
  }
  double mean = stats.mean[cell];
  double low = stats.min[cell];
  double high = stats.max[cell];
  double error = kernels::mean_error(field_.dtype, low, high, stats.count[cell]);
  if (clipped) {
    const auto [first, last] = std::minmax({map_.near * map_.divisor, map_.far * map_.divisor});
    const auto rect = kernels::cell_rect(grid_, field_.extent, static_cast<std::int64_t>(cell));
    mean = kernels::limited_mean(field_, rect, first, last);
    low = std::clamp(low, first, last);
    high = std::clamp(high, first, last);
    error = kernels::mean_error(DType::float64, low, high, stats.count[cell]);
  }
  const double largest = std::max(
      {std::abs(low), std::abs(high), std::abs(map_.near * map_.divisor), std::abs(map_.far * map_.divisor)});
  means_.push_back(unclipped_reading(map_, mean));
  errors_.push_back((error + rounding * largest) * slope_ + rounding);
}

int ReadingMeans::in_front(std::size_t a, std::size_t b, double tau, bool nearer_is_larger) {
  const double gap = std::abs(std::abs(means_[a] - means_[b]) - tau);
  const double size = std::abs(means_[a]) + std::abs(means_[b]) + tau;
  // Not "gap <= …": a bound that is not a number leaves everything open.
  const bool is_open = !(gap > errors_[a] + errors_[b] + rounding * size);
  if (is_open) {
    define(a);
    define(b);
  }
  return nearer_is_larger ? percepts::in_front(means_[a], means_[b], tau)
                          : in_front_by_distance(means_[a], means_[b], tau);
}

void ReadingMeans::define(std::size_t cell) {
  if (errors_[cell] == 0) return;
  const auto rect = kernels::cell_rect(grid_, field_.extent, static_cast<std::int64_t>(cell));
  means_[cell] = clipped_[cell] != 0 ? kernels::defined_mean_of_readings(field_, rect, map_)
                                     : reading(map_, kernels::defined_mean(field_, rect));
  errors_[cell] = 0;
}

}  // namespace percepts

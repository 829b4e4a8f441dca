#include "src/reading_means.hpp"

#include "kernels/cell_means.hpp"

namespace percepts {

ReadingMeans::ReadingMeans(const Field& field, const Grid& grid, const ReadingMap& map,
                           const GridStats& stats)
    : field_(field), grid_(grid), rule_(map, field.dtype) {
  const std::size_t cells = stats.count.size();
  means_.reserve(cells);
  errors_.reserve(cells);
  clipped_.reserve(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) add(stats, cell);
}

void ReadingMeans::add(const GridStats& stats, std::size_t cell) {
  const kernels::CellValues values{
      .min = stats.min[cell], .max = stats.max[cell], .mean = stats.mean[cell], .count = stats.count[cell]};
  const bool clipped = rule_.clips(values);
  kernels::MeanReading reading{};
  if (clipped) {
    const auto rect = kernels::cell_rect(grid_, field_.extent, static_cast<std::int64_t>(cell));
    reading = rule_.limited(values, kernels::limited_mean(field_, rect, rule_.lowest(), rule_.highest()));
  } else {
    reading = rule_.unlimited(values);
  }
  clipped_.push_back(clipped);
  means_.push_back(reading.mean);
  errors_.push_back(reading.error);
}

int ReadingMeans::in_front(std::size_t a, std::size_t b, const kernels::DepthRule& rule) {
  if (kernels::leaves_open({means_[a], errors_[a]}, {means_[b], errors_[b]}, rule.tau)) {
    define(a);
    define(b);
  }
  return kernels::in_front(rule, means_[a], means_[b]);
}

void ReadingMeans::define(std::size_t cell) {
  if (errors_[cell] == 0) return;
  const auto rect = kernels::cell_rect(grid_, field_.extent, static_cast<std::int64_t>(cell));
  means_[cell] = clipped_[cell] != 0 ? kernels::defined_mean_of_readings(field_, rect, rule_.map())
                                     : reading(rule_.map(), kernels::defined_mean(field_, rect));
  errors_[cell] = 0;
}

}  // namespace percepts

#include "percepts/depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "percepts/error.hpp"
#include "percepts/kernels.hpp"
#include "percepts/reading.hpp"
#include "src/cells.hpp"
#include "src/message.hpp"
#include "src/neighbors.hpp"
#include "src/notes.hpp"
#include "src/reading_means.hpp"

namespace percepts {
namespace {

/// Smallest and largest valid value of a whole map; absent where nothing is valid.
using ValueRange = std::optional<std::pair<double, double>>;

ValueRange range_of(const GridStats& stats) {
  ValueRange range;
  for (std::size_t cell = 0; cell < stats.count.size(); ++cell) {
    if (stats.count[cell] == 0) continue;
    if (!range) range.emplace(stats.min[cell], stats.max[cell]);
    range->first = std::min(range->first, stats.min[cell]);
    range->second = std::max(range->second, stats.max[cell]);
  }
  return range;
}

ReadingMap relative_map(DType dtype, const ValueRange& range) {
  const ReadingMap map{.divisor = full_scale(dtype)};
  if (range && (reading(map, range->first) < 0 || reading(map, range->second) > 1)) {
    throw InvalidArgument(message("kind='relative' needs values in [0, 1], got a range of [", range->first,
                                  ", ", range->second,
                                  "]; say kind='disparity' (larger is nearer) or kind='metric' (larger is "
                                  "farther), and name holes with invalid_value"));
  }
  return map;
}

void check_positive(const ValueRange& range, bool sentinels_named) {
  if (!range || range->first > 0 || sentinels_named) return;
  throw InvalidArgument(
      message("kind='metric' needs values above 0 unless invalid_value is given, got a smallest "
              "value of ",
              range->first,
              "; say invalid_value=0 if such values are holes, invalid_value=() if they are "
              "data"));
}

ReadingMap scaled_map(const DepthOptions& options, const ValueRange& range) {
  const ReadingMap unscaled{.divisor = options.scale};
  if (!range) return unscaled;
  const double low = reading(unscaled, range->first);
  const double high = reading(unscaled, range->second);
  if (!std::isfinite(low) || !std::isfinite(high)) {
    throw InvalidArgument(message("values divided by scale must stay finite, got values up to ",
                                  std::max(std::abs(range->first), std::abs(range->second)),
                                  " with scale=", options.scale));
  }
  if (!options.normalize) return unscaled;
  if (options.range) return affine_map(options.scale, options.range->near, options.range->far, true);
  const bool metric = options.kind == DepthKind::metric;
  return affine_map(options.scale, metric ? low : high, metric ? high : low, false);
}

ReadingMap reading_map(const Field& field, const DepthOptions& options, const ValueRange& range) {
  if (options.kind == DepthKind::relative) return relative_map(field.dtype, range);
  if (options.kind == DepthKind::metric) check_positive(range, options.sentinels_named);
  return scaled_map(options, range);
}

float float32_reading(double value) {
  const auto printed = static_cast<float>(value);
  if (std::isinf(printed)) {
    throw InvalidArgument(
        message("readings must fit float32, got ", value, " in scaled units; give a larger scale"));
  }
  return printed;
}

/// Readings of the smallest and the largest value of each cell.
struct Extremes {
  std::vector<float> min;
  std::vector<float> max;
};

Extremes read_extremes(const ReadingMap& map, const GridStats& stats) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Extremes extremes;
  extremes.min.reserve(stats.count.size());
  extremes.max.reserve(stats.count.size());
  for (std::size_t cell = 0; cell < stats.count.size(); ++cell) {
    const bool empty = stats.count[cell] == 0;
    // The map may turn the order around: the largest distance is the smallest reading.
    const auto [low, high] = std::minmax({reading(map, stats.min[cell]), reading(map, stats.max[cell])});
    extremes.min.push_back(empty ? nan : float32_reading(low));
    extremes.max.push_back(empty ? nan : float32_reading(high));
  }
  return extremes;
}

CellRelations relations_of(ReadingMeans& means, const DepthOptions& options) {
  CellRelations relations{.predicates = {"in_front_of"}, .pairs = {}};
  const std::int64_t most = options.max_relations.value_or(std::numeric_limits<std::int64_t>::max());
  for_each_neighbors(options.grid, [&](std::int32_t a, std::int32_t b) {
    if (std::cmp_greater_equal(relations.pairs.size(), most)) return;
    const int sign = means.in_front(static_cast<std::size_t>(a), static_cast<std::size_t>(b), options.tau,
                                    options.normalize);
    if (sign != 0)
      relations.pairs.push_back(sign > 0 ? CellRelation{a + 1, b + 1} : CellRelation{b + 1, a + 1});
  });
  return relations;
}

std::optional<InFrontRule> rule_of(const DepthOptions& options) {
  if (!options.relations) return std::nullopt;
  return InFrontRule{
      .tau = options.tau, .nearer_is_larger = options.normalize, .most = options.max_relations};
}

column::Reals readings_of(const Extremes& extremes) {
  column::Reals readings{.width = 2, .values = {}};
  readings.values.reserve(2 * extremes.min.size());
  for (std::size_t cell = 0; cell < extremes.min.size(); ++cell) {
    readings.values.push_back(extremes.min[cell]);
    readings.values.push_back(extremes.max[cell]);
  }
  return readings;
}

}  // namespace

Program depth(const Field& field, const DepthOptions& options) {
  check(options);
  return depth(field, options, grid_stats(field, options.grid));
}

Program depth(const Field& field, const DepthOptions& options, const GridStats& stats) {
  check(options);
  const Grid& grid = options.grid;
  const ReadingMap map = reading_map(field, options, range_of(stats));

  Program program = program_of_cells("depth", grid, field.extent);
  program.note = note_of(options);
  Extremes extremes = read_extremes(map, stats);
  program.r = readings_of(extremes);
  ReadingMeans means(field, grid, map, stats);
  if (options.relations) program.relations = relations_of(means, options);
  program.origin = CellOrigin{.extent = field.extent, .in_front = rule_of(options)};
  program.arrays.reserve(4);
  add_array(program, "min", std::move(extremes.min));
  add_array(program, "max", std::move(extremes.max));
  add_array(program, "mean", std::move(means).means());
  add_array(program, "valid", valid_share(stats.count, grid, field.extent));
  return program;
}

}  // namespace percepts

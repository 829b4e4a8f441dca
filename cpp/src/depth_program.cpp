#include "src/depth_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "percepts/error.hpp"
#include "src/cells.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"

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

void check_relative(DType dtype, const ValueRange& range) {
  const ReadingMap map{.divisor = full_scale(dtype)};
  if (!range || (reading(map, range->first) >= 0 && reading(map, range->second) <= 1)) return;
  throw InvalidArgument(message("kind='relative' needs values in [0, 1], got a range of [", range->first,
                                ", ", range->second,
                                "]; say kind='disparity' (larger is nearer) or kind='metric' (larger is "
                                "farther), and name holes with invalid_value"));
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

void check_scaled(double scale, const ValueRange& range) {
  if (!range) return;
  const ReadingMap scaled{.divisor = scale};
  if (std::isfinite(reading(scaled, range->first)) && std::isfinite(reading(scaled, range->second))) return;
  throw InvalidArgument(message("values divided by scale must stay finite, got values up to ",
                                std::max(std::abs(range->first), std::abs(range->second)),
                                " with scale=", scale));
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

kernels::DepthRule depth_rule(DType dtype, const DepthOptions& options) {
  const bool relative = options.kind == DepthKind::relative;
  kernels::DepthRule rule{.divisor = relative ? full_scale(dtype) : options.scale,
                          .normalizes = !relative && options.normalize,
                          .larger_is_far = options.kind == DepthKind::metric,
                          .tau = options.tau,
                          .nearer_is_larger = options.normalize};
  if (options.range) {
    rule.has_range = true;
    rule.near = options.range->near;
    rule.far = options.range->far;
  }
  return rule;
}

ReadingMap checked_reading_map(DType dtype, const DepthOptions& options, const GridStats& stats) {
  const ValueRange range = range_of(stats);
  if (options.kind == DepthKind::relative) {
    check_relative(dtype, range);
  } else {
    if (options.kind == DepthKind::metric) check_positive(range, options.sentinels_named);
    check_scaled(options.scale, range);
  }
  // Where nothing is valid no value is mapped.
  return kernels::reading_map(depth_rule(dtype, options), range ? range->first : 0,
                              range ? range->second : 0);
}

Program depth_program(const Extent& extent, const DepthOptions& options, const ReadingMap& map,
                      const GridStats& stats, std::vector<double> means, CellRelations relations) {
  Program program = program_of_cells("depth", options.grid, extent);
  program.note = note_of(options);
  Extremes extremes = read_extremes(map, stats);
  program.r = readings_of(extremes);
  if (options.relations) program.relations = std::move(relations);
  program.origin = CellOrigin{.extent = extent, .in_front = rule_of(options)};
  program.arrays.reserve(4);
  add_array(program, "min", std::move(extremes.min));
  add_array(program, "max", std::move(extremes.max));
  add_array(program, "mean", std::move(means));
  add_array(program, "valid", valid_share(stats.count, options.grid, extent));
  return program;
}

}  // namespace percepts

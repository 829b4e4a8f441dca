#pragma once

#include <cstdint>

#include "kernels/mean_error.hpp"
#include "percepts/dtype.hpp"
#include "percepts/reading.hpp"

// What depth options mean for numbers, in plain constants: on the host and on a device.

namespace percepts::kernels {

/// How the values of a depth map become readings, and what it takes to be in front.
struct DepthRule {
  double divisor = 1;          ///< the type's maximum, or the scale
  bool normalizes = false;     ///< maps disparity or metric values onto [0, 1]
  bool larger_is_far = false;  ///< before that
  bool has_range = false;      ///< by `near` and `far`, clipped; else by the map's own range
  double near = 1;
  double far = 0;
  double tau = 0;
  bool nearer_is_larger = true;  ///< of the readings
};

/// From values to readings, for a map whose smallest and largest valid values are these.
constexpr ReadingMap reading_map(const DepthRule& rule, double smallest, double largest) {
  const ReadingMap scaled{.divisor = rule.divisor};
  if (!rule.normalizes) return scaled;
  if (rule.has_range) return affine_map(rule.divisor, rule.near, rule.far, true);
  const double low = reading(scaled, smallest);
  const double high = reading(scaled, largest);
  return affine_map(rule.divisor, rule.larger_is_far ? low : high, rule.larger_is_far ? high : low, false);
}

/// +1 when the reading `a` is in front of `b`, -1 when `b` is, else 0.
constexpr int in_front(const DepthRule& rule, double a, double b) {
  return rule.nearer_is_larger ? percepts::in_front(a, b, rule.tau)
                               : percepts::in_front_by_distance(a, b, rule.tau);
}

/// Statistics of one cell, in stored values.
struct CellValues {
  double min;
  double max;
  double mean;
  std::int64_t count;
};

/// The mean reading of a cell and how far the one that is defined may be from it.
struct MeanReading {
  double mean;
  double error;
};

/// Makes mean readings out of the statistics of cells.
class MeanReadingRule {
 public:
  constexpr MeanReadingRule(const ReadingMap& map, DType dtype)
      : map_(map), dtype_(dtype), slope_(slope_of(map)) {}

  constexpr const ReadingMap& map() const { return map_; }

  /// Whether the map clips any value of the cell: then `limited` gives the mean reading, else `unlimited`.
  constexpr bool clips(const CellValues& cell) const {
    return cell.count != 0 && (percepts::clips(map_, cell.min) || percepts::clips(map_, cell.max));
  }

  constexpr MeanReading unlimited(const CellValues& cell) const {
    if (cell.count == 0) return {cell.mean, 0};
    if (sums_exactly(dtype_)) return {reading(map_, cell.mean), 0};
    return bounded(cell.mean, cell.min, cell.max, mean_error(dtype_, cell.min, cell.max, cell.count));
  }

  /// Of a cell whose values, each limited to [lowest(), highest()], have this mean when summed in float64.
  constexpr MeanReading limited(const CellValues& cell, double mean) const {
    const double min = limit(cell.min);
    const double max = limit(cell.max);
    return bounded(mean, min, max, mean_error(DType::float64, min, max, cell.count));
  }

  /// The smallest and the largest value that are not clipped.
  constexpr double lowest() const { return near() < far() ? near() : far(); }
  constexpr double highest() const { return near() < far() ? far() : near(); }

  constexpr double limit(double value) const {
    return value < lowest() ? lowest() : highest() < value ? highest() : value;
  }

 private:
  /// More than what the few operations of a map or a comparison round, relative to their largest operand.
  static constexpr double rounding = 0x1p-50;

  /// Readings for one unit of stored value.
  static constexpr double slope_of(const ReadingMap& map) {
    const double span = magnitude(map.near * map.half - map.far * map.half) / map.half;
    return 1 / (map.divisor * (map.affine ? span : 1));
  }

  constexpr double near() const { return map_.near * map_.divisor; }
  constexpr double far() const { return map_.far * map_.divisor; }

  constexpr MeanReading bounded(double mean, double min, double max, double error) const {
    const double largest = largest_magnitude(largest_magnitude(min, max), largest_magnitude(near(), far()));
    return {unclipped_reading(map_, mean), (error + rounding * largest) * slope_ + rounding};
  }

  ReadingMap map_;
  DType dtype_;
  double slope_;
};

/// Whether the bounds of two mean readings leave open which is in front.
constexpr bool leaves_open(const MeanReading& a, const MeanReading& b, double tau) {
  const double gap = magnitude(magnitude(a.mean - b.mean) - tau);
  const double size = magnitude(a.mean) + magnitude(b.mean) + tau;
  // Not "gap <= …": a bound that is not a number leaves everything open.
  return !(gap > a.error + b.error + 0x1p-50 * size);
}

}  // namespace percepts::kernels

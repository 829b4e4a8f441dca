#pragma once

// Arithmetic that every backend shares, on the host and on a device.

namespace percepts {

/// From a stored value to a reading, in float64: divided by `divisor`, then, where `affine`, mapped so that
/// `near` reads 1 and `far` reads 0, and clipped to [0, 1] where `clipped`.
struct ReadingMap {
  double divisor = 1;
  bool affine = false;
  bool clipped = false;
  double near = 1;
  double far = 0;
  double half = 1;  ///< 0.5 where near − far would overflow: both sides of the quotient are halved, exactly
};

/// The affine map that reads 1 at `near` and 0 at `far`, both after division by `divisor`.
constexpr ReadingMap affine_map(double divisor, double near, double far, bool clipped) {
  constexpr double largest = 1.7976931348623157e308;
  const double span = near - far;
  const bool overflows = span > largest || span < -largest;
  return {.divisor = divisor,
          .affine = true,
          .clipped = clipped,
          .near = near,
          .far = far,
          .half = overflows ? 0.5 : 1};
}

/// The reading before it is clipped. A map of one value reads 0.5 throughout, and NaN stays NaN.
constexpr double unclipped_reading(const ReadingMap& map, double value) {
  const double scaled = value / map.divisor;
  if (!map.affine) return scaled;
  if (map.near == map.far) return value == value ? 0.5 : value;
  return (scaled * map.half - map.far * map.half) / (map.near * map.half - map.far * map.half);
}

/// Whether the map clips this value.
constexpr bool clips(const ReadingMap& map, double value) {
  if (!map.clipped) return false;
  const double reading = unclipped_reading(map, value);
  return reading < 0 || reading > 1;
}

/// The reading of a stored value.
constexpr double reading(const ReadingMap& map, double value) {
  const double unclipped = unclipped_reading(map, value);
  if (!map.clipped) return unclipped;
  return unclipped < 0 ? 0 : unclipped > 1 ? 1 : unclipped;
}

/// +1 when `a` is in front of `b`, -1 when `b` is in front of `a`, else 0 (also when either is NaN). Larger
/// is nearer.
constexpr int in_front(double a, double b, double tau) {
  if (a > b + tau) return 1;
  if (b > a + tau) return -1;
  return 0;
}

/// The same where smaller is nearer (metres).
constexpr int in_front_by_distance(double a, double b, double tau) {
  if (a < b - tau) return 1;
  if (b < a - tau) return -1;
  return 0;
}

}  // namespace percepts

#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "percepts/point.hpp"

namespace percepts::kernels {

/// A number as the sum of two that do not overlap.
struct TwoSum {
  double high;
  double low;
};

inline TwoSum exact_sum(double a, double b) {
  const double high = a + b;
  const double part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}

inline TwoSum exact_product(double a, double b) {
  const double high = a * b;
  return {high, std::fma(a, b, -high)};
}

/// A sum of doubles without any rounding: parts that do not overlap, the smallest first (Shewchuk 1997).
class ExactSum {
 public:
  void add(double value) {
    double carried = value;
    for (std::size_t k = 0; k < size_; ++k) {
      const TwoSum sum = exact_sum(carried, parts_[k]);
      parts_[k] = sum.low;
      carried = sum.high;
    }
    parts_[size_++] = carried;
  }

  void add(const TwoSum& value, double factor) {
    add(value.low * factor);
    add(value.high * factor);
  }

  bool is_negative() const {
    for (std::size_t k = size_; k > 0; --k) {
      if (parts_[k - 1] != 0) return parts_[k - 1] < 0;
    }
    return false;
  }

 private:
  static constexpr std::size_t room = 24;  ///< the parts of two squared distances

  std::array<double, room> parts_{};
  std::size_t size_ = 0;
};

/// Adds the square of a difference, times 1 or -1.
inline void add_square(ExactSum& sum, double a, double b, double sign) {
  const auto [high, low] = exact_sum(a, -b);
  sum.add(exact_product(high, high), sign);
  sum.add(exact_product(high, low), 2 * sign);
  sum.add(exact_product(low, low), sign);
}

/// Whether point `a` is nearer to the query than point `b`, decided exactly for coordinates that are 0 or of
/// a magnitude from 1e-100 to 1e100.
inline bool is_closer(const Point& a, const Point& b, const Point& query) {
  if (a.x == b.x && a.y == b.y) return false;
  ExactSum difference;
  add_square(difference, a.x, query.x, 1);
  add_square(difference, a.y, query.y, 1);
  add_square(difference, b.x, query.x, -1);
  add_square(difference, b.y, query.y, -1);
  return difference.is_negative();
}

}  // namespace percepts::kernels

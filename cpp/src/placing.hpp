#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "percepts/error.hpp"
#include "percepts/point.hpp"
#include "src/message.hpp"

namespace percepts {

/// Puts the points of one image into canonical coordinates.
class Placing {
 public:
  Placing(const Extent& size, Outside outside, Rounding rounding = Rounding::floor)
      : width_(static_cast<double>(size.width)),
        height_(static_cast<double>(size.height)),
        outside_(outside),
        rounding_(rounding) {}

  /// The point, which lies within the image or is moved to its edge. `where()` is what an error calls it.
  template <class Where>
  Point within(const Point& point, Where where) const {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
      throw InvalidArgument(message(where(), " must be finite, got (", point.x, ", ", point.y, ")"));
    }
    const Point moved{std::clamp(point.x, 0.0, width_), std::clamp(point.y, 0.0, height_)};
    if (outside_ == Outside::error && (moved.x != point.x || moved.y != point.y)) {
      throw InvalidArgument(message(where(), " must lie within its image of ", width_, "x", height_,
                                    " pixels (width x height), got (", point.x, ", ", point.y,
                                    "); outside='clip' moves it to the edge"));
    }
    return moved;
  }

  /// Appends the canonical x and y of a point within the image.
  void append_location(std::vector<std::int32_t>& locations, const Point& point) const {
    locations.push_back(location(point.x, width_));
    locations.push_back(location(point.y, height_));
  }

 private:
  std::int32_t location(double pixel, double extent) const {
    const double exact = 1000.0 * pixel / extent;
    return static_cast<std::int32_t>(rounding_ == Rounding::floor ? std::floor(exact)
                                                                  : std::nearbyint(exact));
  }

  double width_;
  double height_;
  Outside outside_;
  Rounding rounding_;
};

}  // namespace percepts

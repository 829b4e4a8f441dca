#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "percepts/error.hpp"
#include "percepts/point.hpp"
#include "src/message.hpp"

namespace percepts {

/// Canonical location of a coordinate within an image on an axis of `extent` pixels.
inline std::int32_t canonical_of(double coordinate, std::int64_t extent) {
  return static_cast<std::int32_t>(std::floor(1000.0 * coordinate / static_cast<double>(extent)));
}

/// Throws InvalidArgument unless a point is in the image or on its edges.
inline void check_point(std::string_view name, const Point& point, const Extent& size) {
  const auto within = [](double at, std::int64_t end) { return 0 <= at && at <= static_cast<double>(end); };
  if (within(point.x, size.width) && within(point.y, size.height)) return;
  throw InvalidArgument(message(name, " must be within 0 <= x <= ", size.width,
                                " and 0 <= y <= ", size.height, ", got (", point.x, ", ", point.y, ")"));
}

}  // namespace percepts

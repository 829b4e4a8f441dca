#pragma once

#include <cstdint>
#include <string_view>

#include "percepts/field.hpp"

namespace percepts {

/// A point of an image, in pixels from its upper left corner: x to the right, y downwards.
struct Point {
  double x = 0;
  double y = 0;
};

/// How a canonical location becomes a whole number: down, as in the paper, or to the nearest, of two the even
/// one, as the research release prints it.
enum class Rounding : std::uint8_t { floor, nearest };

/// What becomes of a point outside its image: an error, or it is moved to the edge.
enum class Outside : std::uint8_t { error, clip };

/// "floor" or "nearest". Throws InvalidArgument for any other word.
Rounding rounding(std::string_view name);

/// "error" or "clip". Throws InvalidArgument for any other word.
Outside outside(std::string_view name);

/// Throws InvalidArgument unless an image of this size has pixels, fewer than 2^31 along each axis.
void check_size(const Extent& size, std::string_view name);

}  // namespace percepts

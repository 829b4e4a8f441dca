#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "percepts/field.hpp"
#include "percepts/note.hpp"
#include "percepts/point.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// Matches between two images: a point of image 1 and the same point in image 2 each.
struct Matches {
  std::span<const Point> points0;                     ///< in pixels of image 1
  std::span<const Point> points1;                     ///< in pixels of image 2, as many
  std::optional<std::span<const double>> confidence;  ///< as many, where they are known
};

/// Which matches stay when there are more than wanted: the most confident, or those that are spread over
/// image 1.
enum class Keep : std::uint8_t { confidence, spread };

/// "confidence" or "spread". Throws InvalidArgument for any other word.
Keep keep(std::string_view name);

/// How a correspondence program is made.
struct CorrespondenceOptions {
  Extent size0;  ///< of image 1
  Extent size1;  ///< of image 2
  std::optional<std::int64_t> max_items;
  Keep keep = Keep::confidence;
  Rounding rounding = Rounding::floor;
  Outside outside = Outside::error;
  Note note;
};

/// The program of the matches between two images (paper, 3.2.3): `c` is where a point is in image 1, `r`
/// where it is in image 2. Matches stay in their order. Without confidences all are as confident.
///
/// `Keep::spread` starts with the most confident match and takes, again and again, the one that is farthest
/// in image 1 from all taken so far; of several the first. Throws InvalidArgument for sizes without pixels,
/// numbers of points or confidences that differ, what is not finite, and points outside their image unless
/// these are to be moved.
Program correspondence(const Matches& matches, const CorrespondenceOptions& options);

/// Places that are spread over the image, in the order in which they are chosen: the most confident one, else
/// the first, and then, again and again, the one that is farthest from all before it, the first of several.
/// `locations` holds x and y of each, in canonical coordinates.
std::vector<std::size_t> most_spread(std::span<const std::int32_t> locations, std::size_t count,
                                     std::span<const double> confidence);

}  // namespace percepts

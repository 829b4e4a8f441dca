#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "percepts/point.hpp"

namespace percepts {

/// For each query its nearest point.
struct NearestMatches {
  std::vector<std::int64_t> index;
  std::vector<double> distance;
};

/// The point nearest to each query by Euclidean distance, the first of several. The decision is that of exact
/// arithmetic on the coordinates given; the distance is computed in float64. Coordinates below 1e-100 count
/// as 0.
///
/// Throws InvalidArgument when there are queries but no points, or a coordinate is not finite or above 1e100.
NearestMatches nearest_match(std::span<const Point> points, std::span<const Point> queries);

}  // namespace percepts

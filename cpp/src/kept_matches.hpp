#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "percepts/correspondence.hpp"

namespace percepts {

/// Which of several matches stay, in rising order: all, or `options.max_items` of them. Without confidences
/// all are as confident. `locations` holds x and y of each in image 1, in canonical coordinates.
std::vector<std::size_t> kept_matches(std::span<const std::int32_t> locations,
                                      std::span<const double> confidence,
                                      const CorrespondenceOptions& options);

}  // namespace percepts

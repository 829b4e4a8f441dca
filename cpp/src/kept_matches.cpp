#include "src/kept_matches.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace percepts {
namespace {

std::vector<std::size_t> most_confident(std::size_t size, std::size_t count,
                                        std::span<const double> confidence) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!confidence.empty()) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return confidence[a] > confidence[b]; });
  }
  order.resize(count);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

std::vector<std::size_t> most_spread(std::span<const std::int32_t> locations, std::size_t count,
                                     std::span<const double> confidence) {
  constexpr std::int32_t taken = -1;
  // Squared distance to the nearest match taken so far, below 2^21 in canonical coordinates.
  std::vector<std::int32_t> distance(locations.size() / 2, std::numeric_limits<std::int32_t>::max());
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    const auto farthest = chosen.empty() && !confidence.empty()
                              ? std::max_element(confidence.begin(), confidence.end()) - confidence.begin()
                              : std::max_element(distance.begin(), distance.end()) - distance.begin();
    const auto next = static_cast<std::size_t>(farthest);
    chosen.push_back(next);
    for (std::size_t k = 0; k < distance.size(); ++k) {
      const std::int32_t dx = locations[2 * k] - locations[2 * next];
      const std::int32_t dy = locations[2 * k + 1] - locations[2 * next + 1];
      distance[k] = std::min(distance[k], dx * dx + dy * dy);
    }
    distance[next] = taken;
  }
  return chosen;
}

std::vector<std::size_t> kept_matches(std::span<const std::int32_t> locations,
                                      std::span<const double> confidence,
                                      const CorrespondenceOptions& options) {
  const std::size_t size = locations.size() / 2;
  std::size_t count = size;
  if (options.max_items && std::cmp_less(*options.max_items, size))
    count = static_cast<std::size_t>(*options.max_items);
  const bool spread = options.keep == Keep::spread && count < size;
  if (!spread) return most_confident(size, count, confidence);
  std::vector<std::size_t> chosen = most_spread(locations, count, confidence);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace percepts

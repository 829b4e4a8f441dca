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

/// How far places are from those that were taken. Places come in blocks, of which the largest distance is
/// known, so that the farthest is found without another look at all.
class Spread {
 public:
  explicit Spread(std::span<const std::int32_t> locations)
      : size_(locations.size() / 2), farthest_in_((size_ + block_size - 1) / block_size, untaken) {
    const std::size_t padded = farthest_in_.size() * block_size;
    x_.resize(padded);
    y_.resize(padded);
    distance_.resize(padded, taken);
    for (std::size_t k = 0; k < size_; ++k) {
      x_[k] = locations[2 * k];
      y_[k] = locations[2 * k + 1];
      distance_[k] = untaken;
    }
  }

  /// The first of those that are farthest.
  std::size_t farthest() const {
    const auto block = std::max_element(farthest_in_.begin(), farthest_in_.end());
    const auto first = (block - farthest_in_.begin()) * static_cast<std::ptrdiff_t>(block_size);
    return static_cast<std::size_t>(std::find(distance_.begin() + first, distance_.end(), *block) -
                                    distance_.begin());
  }

  void take(std::size_t place) {
    const std::int32_t x = x_[place];
    const std::int32_t y = y_[place];
    distance_[place] = taken;
    for (std::size_t block = 0; block < farthest_in_.size(); ++block) {
      const std::size_t first = block * block_size;
      farthest_in_[block] = update(x_.data() + first, y_.data() + first, distance_.data() + first, x, y);
    }
  }

 private:
  static constexpr std::size_t block_size = 256;
  static constexpr std::int32_t taken = -1;
  // Squared distances are below 2^21 in canonical coordinates.
  static constexpr std::int32_t untaken = std::numeric_limits<std::int32_t>::max();

  /// Without a branch, so that compilers make vectors of it.
  static std::int32_t update(const std::int32_t* xs, const std::int32_t* ys, std::int32_t* distances,
                             std::int32_t x, std::int32_t y) {
    std::int32_t farthest = taken;
    for (std::size_t k = 0; k < block_size; ++k) {
      const std::int32_t dx = xs[k] - x;
      const std::int32_t dy = ys[k] - y;
      distances[k] = std::min(distances[k], dx * dx + dy * dy);
      farthest = std::max(farthest, distances[k]);
    }
    return farthest;
  }

  std::size_t size_;
  std::vector<std::int32_t> x_;
  std::vector<std::int32_t> y_;
  std::vector<std::int32_t> distance_;
  std::vector<std::int32_t> farthest_in_;
};

}  // namespace

std::vector<std::size_t> most_spread(std::span<const std::int32_t> locations, std::size_t count,
                                     std::span<const double> confidence) {
  Spread spread(locations);
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    const bool by_confidence = chosen.empty() && !confidence.empty();
    const auto surest = std::max_element(confidence.begin(), confidence.end()) - confidence.begin();
    chosen.push_back(by_confidence ? static_cast<std::size_t>(surest) : spread.farthest());
    spread.take(chosen.back());
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

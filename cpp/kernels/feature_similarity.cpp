#include "percepts/feature_similarity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "kernels/element.hpp"
#include "kernels/feature_points.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts {
namespace {

using namespace kernels;

void check_map(std::string_view name, const FeatureMap& map) {
  if (map.channels >= 1 && map.extent.height >= 1 && map.extent.width >= 1) return;
  throw InvalidArgument(message(name, " must have at least one channel and one cell, got ", map.channels, "x",
                                map.extent.height, "x", map.extent.width, " (channels x height x width)"));
}

/// Where a coordinate falls between two cells of an axis. The weight of `high` is `share`; without any both
/// are the same cell, so that no other is looked at.
struct Between {
  std::int64_t low = 0;
  std::int64_t high = 0;
  double share = 0;
};

Between between(double coordinate, std::int64_t extent, std::int64_t cells) {
  const auto count = static_cast<double>(cells);
  const double at =
      std::clamp((coordinate + 0.5) * count / static_cast<double>(extent) - 0.5, 0.0, count - 1);
  const double low = std::floor(at);
  const auto cell = static_cast<std::int64_t>(low);
  return {.low = cell, .high = at > low ? cell + 1 : cell, .share = at - low};
}

/// Reads a map's features at a point, channel by channel.
template <class Element>
class Interpolation {
 public:
  Interpolation(const FeatureMap& map, const Point& point, const Extent& size) : stride_(map.stride_c) {
    const Between x = between(point.x, size.width, map.extent.width);
    const Between y = between(point.y, size.height, map.extent.height);
    const auto corner = [&](std::int64_t row, std::int64_t col) {
      return map.data + row * map.stride_y + col * map.stride_x;
    };
    corners_ = {corner(y.low, x.low), corner(y.low, x.high), corner(y.high, x.low), corner(y.high, x.high)};
    weights_ = {(1 - y.share) * (1 - x.share), (1 - y.share) * x.share, y.share * (1 - x.share),
                y.share * x.share};
  }

  double operator()(std::size_t channel) const {
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(channel) * stride_;
    const auto feature = [&](std::size_t k) {
      return static_cast<double>(Element::load(corners_[k] + offset));
    };
    return weights_[0] * feature(0) + weights_[1] * feature(1) + weights_[2] * feature(2) +
           weights_[3] * feature(3);
  }

 private:
  std::ptrdiff_t stride_;
  std::array<const std::byte*, 4> corners_;
  std::array<double, 4> weights_;
};

/// Squared lengths in this range can be summed and multiplied without leaving float64's own.
bool is_plain(double norm) { return 0x1p-400 <= norm && norm <= 0x1p400; }

/// The features at a point. A vector beyond that range is scaled by a power of two, which changes no
/// direction.
struct Sample {
  std::vector<double> values;
  double norm = 0;  ///< squared length; NaN where a feature is not finite
};

double squared_length(const std::vector<double>& values) {
  double norm = 0;
  for (const double value : values) norm += value * value;
  return norm;
}

void scale(Sample& sample) {
  double largest = 0;
  for (const double value : sample.values) {
    if (!std::isfinite(value)) {
      sample.norm = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    largest = std::max(largest, std::abs(value));
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (double& value : sample.values) value = std::ldexp(value, -exponent);
  sample.norm = squared_length(sample.values);
}

Sample sample(const FeatureMap& map, const Point& point, const Extent& size) {
  Sample sample;
  sample.values.resize(static_cast<std::size_t>(map.channels));
  visit_element(map.dtype, [&]<class Element>(Element) {
    const Interpolation<Element> features(map, point, size);
    for (std::size_t channel = 0; channel < sample.values.size(); ++channel) {
      const double value = features(channel);
      sample.values[channel] = value;
      sample.norm += value * value;
    }
  });
  if (!is_plain(sample.norm)) scale(sample);
  return sample;
}

double cosine(const Sample& a, const Sample& b) {
  const double norms = a.norm * b.norm;
  if (std::isnan(norms) || norms == 0) return norms;
  double dot = 0;
  for (std::size_t channel = 0; channel < a.values.size(); ++channel) {
    dot += a.values[channel] * b.values[channel];
  }
  return std::clamp(dot / std::sqrt(norms), -1.0, 1.0);
}

}  // namespace

std::vector<double> feature_similarity(const FeatureMap& features0, const FeatureMap& features1, Point source,
                                       std::span<const Point> targets, std::optional<Extent> size0,
                                       std::optional<Extent> size1) {
  check_map("features0", features0);
  check_map("features1", features1);
  if (features0.channels != features1.channels) {
    throw InvalidArgument(message("features0 and features1 must have as many channels as each other, got ",
                                  features0.channels, " and ", features1.channels));
  }
  const Extent first = size0.value_or(features0.extent);
  const Extent second = size1.value_or(features1.extent);
  check_size(first, "size0");
  check_size(second, "size1");
  check_point("source", source, first);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    check_point("targets[" + std::to_string(k) + "]", targets[k], second);
  }
  std::vector<double> scores;
  scores.reserve(targets.size());
  const Sample reference = sample(features0, source, first);
  for (const Point& target : targets) {
    scores.push_back(cosine(reference, sample(features1, target, second)));
  }
  return scores;
}

}  // namespace percepts

#include "percepts/nearest_match.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "kernels/nearest/closer.hpp"
#include "kernels/nearest/nearest.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts {
namespace {

using namespace kernels;

/// Squared distances below this may have lost digits to underflow in float32, also where subnormal numbers
/// are flushed to zero.
constexpr double float_underflow = 0x1p-118;
/// Queries that go through the points together.
constexpr std::size_t queries_at_once = 64;

Range range_of(std::span<const Point> points) {
  static_assert(sizeof(Point) == 2 * sizeof(double));
  const auto* const values = reinterpret_cast<const double*>(points.data());
  return nearest_kernels().range_of(values, 2 * static_cast<std::int64_t>(points.size()));
}

double checked(double value, std::string_view name, std::size_t row) {
  if (!(std::abs(value) <= largest_coordinate)) {
    throw InvalidArgument(
        message(name, " must be finite and at most 1e100 in magnitude, got ", value, " in row ", row));
  }
  return std::abs(value) < smallest_coordinate ? 0 : value;
}

/// The points with what is too small set to 0.
std::vector<Point> checked(std::span<const Point> points, std::string_view name) {
  std::vector<Point> result;
  for (std::size_t row = 0; row < points.size(); ++row) {
    result.push_back({checked(points[row].x, name, row), checked(points[row].y, name, row)});
  }
  return result;
}

/// Coordinates by axis.
template <class Real>
struct Axes {
  std::vector<Real> x;
  std::vector<Real> y;

  /// The last point is repeated until there are `size`.
  Axes(std::span<const Point> points, std::size_t size) {
    x.resize(size);
    y.resize(size);
    for (std::size_t k = 0; k < points.size(); ++k) {
      x[k] = static_cast<Real>(points[k].x);
      y[k] = static_cast<Real>(points[k].y);
    }
    std::fill(x.begin() + static_cast<std::ptrdiff_t>(points.size()), x.end(),
              static_cast<Real>(points.back().x));
    std::fill(y.begin() + static_cast<std::ptrdiff_t>(points.size()), y.end(),
              static_cast<Real>(points.back().y));
  }
};

double squared_distance(const Point& point, const Point& query) {
  const double dx = point.x - query.x;
  const double dy = point.y - query.y;
  return dx * dx + dy * dy;
}

/// What a squared distance that was rounded in `Real` may be, at most, when another one is `value`: 16 units
/// of roundoff more.
template <class Real>
double no_less_than(double value) {
  return value * (1 + 8 * static_cast<double>(std::numeric_limits<Real>::epsilon()));
}

/// The nearest point so far.
struct Best {
  std::size_t index = 0;
  double squared = std::numeric_limits<double>::infinity();
};

/// Takes a point into account that comes after all before.
void offer(Best& best, std::span<const Point> points, std::size_t index, const Point& query) {
  const double squared = squared_distance(points[index], query);
  if (squared > no_less_than<double>(best.squared)) return;
  const bool surely = no_less_than<double>(squared) < best.squared;
  if (surely || is_closer(points[index], points[best.index], query)) best = {index, squared};
}

template <class Real>
class Search {
 public:
  Search(std::span<const Point> points, BlockMinima<Real> block_minima)
      : points_(points),
        block_minima_(block_minima),
        blocks_((points.size() + block_size - 1) / block_size),
        axes_(points, blocks_ * block_size),
        minima_(queries_at_once * blocks_) {}

  void find(std::span<const Point> queries, NearestMatches& nearest) {
    const Axes<Real> at(queries, queries.size());
    for (std::size_t block = 0; block < blocks_; ++block) {
      block_minima_(axes_.x.data() + block * block_size, axes_.y.data() + block * block_size, at.x.data(),
                    at.y.data(), static_cast<std::int64_t>(queries.size()), minima_.data() + block,
                    static_cast<std::int64_t>(blocks_));
    }
    for (std::size_t k = 0; k < queries.size(); ++k) {
      const Best best = decided(queries[k], std::span(minima_).subspan(k * blocks_, blocks_));
      nearest.index.push_back(static_cast<std::int64_t>(best.index));
      nearest.distance.push_back(std::sqrt(best.squared));
    }
  }

 private:
  static constexpr auto block_size = static_cast<std::size_t>(points_of_block);

  /// Looks again, in float64 and where need be exactly, into all blocks that may hold the nearest point.
  Best decided(const Point& query, std::span<const Real> minima) const {
    constexpr double lost = std::is_same_v<Real, float> ? float_underflow : 0;
    const double limit = no_less_than<Real>(static_cast<double>(*std::ranges::min_element(minima))) + lost;
    Best best;
    for (std::size_t block = 0; block < blocks_; ++block) {
      if (static_cast<double>(minima[block]) > limit) continue;
      const std::size_t end = std::min((block + 1) * block_size, points_.size());
      for (std::size_t index = block * block_size; index < end; ++index) offer(best, points_, index, query);
    }
    return best;
  }

  std::span<const Point> points_;
  BlockMinima<Real> block_minima_;
  std::size_t blocks_;
  Axes<Real> axes_;
  std::vector<Real> minima_;
};

template <class Real>
NearestMatches found(std::span<const Point> points, std::span<const Point> queries,
                     BlockMinima<Real> block_minima) {
  NearestMatches nearest;
  Search<Real> search(points, block_minima);
  for (std::size_t first = 0; first < queries.size(); first += queries_at_once) {
    search.find(queries.subspan(first, std::min(queries_at_once, queries.size() - first)), nearest);
  }
  return nearest;
}

}  // namespace

NearestMatches nearest_match(std::span<const Point> points, std::span<const Point> queries) {
  const Range range = range_of(points);
  const Range of_queries = range_of(queries);
  if (!range.usual || !of_queries.usual) {
    const std::vector<Point> from = checked(points, "points");
    const std::vector<Point> to = checked(queries, "queries");
    return nearest_match(from, to);
  }
  if (queries.empty()) return {};
  if (points.empty()) throw InvalidArgument("nearest_match needs at least one point, got none");
  if (range.fits_float && of_queries.fits_float)
    return found<float>(points, queries, nearest_kernels().in_float);
  return found<double>(points, queries, nearest_kernels().in_double);
}

}  // namespace percepts

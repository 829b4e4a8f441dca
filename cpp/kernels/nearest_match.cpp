#include "percepts/nearest_match.hpp"

#include <algorithm>
#include <array>
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

constexpr auto block_size = static_cast<std::size_t>(points_of_block);

/// Coordinates of one block of points, by axis.
template <class Real>
struct alignas(64) Block {
  std::array<Real, block_size> x;
  std::array<Real, block_size> y;
};

/// The points in blocks; in the last one the last point is repeated.
template <class Real>
std::vector<Block<Real>> blocks_of(std::span<const Point> points) {
  std::vector<Block<Real>> blocks((points.size() + block_size - 1) / block_size);
  for (std::size_t k = 0; k < blocks.size() * block_size; ++k) {
    const Point& point = k < points.size() ? points[k] : points.back();
    blocks[k / block_size].x[k % block_size] = static_cast<Real>(point.x);
    blocks[k / block_size].y[k % block_size] = static_cast<Real>(point.y);
  }
  return blocks;
}

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

/// As the block's minimum was computed; compilers make vectors of it.
template <class Real>
std::array<Real, block_size> squared_distances(const Block<Real>& block, const Point& query) {
  const auto at_x = static_cast<Real>(query.x);
  const auto at_y = static_cast<Real>(query.y);
  std::array<Real, block_size> squared;
  for (std::size_t k = 0; k < block_size; ++k) {
    const Real dx = block.x[k] - at_x;
    const Real dy = block.y[k] - at_y;
    squared[k] = dx * dx + dy * dy;
  }
  return squared;
}

template <class Real>
class Search {
 public:
  Search(std::span<const Point> points, BlockMinima<Real> block_minima)
      : points_(points),
        block_minima_(block_minima),
        blocks_(blocks_of<Real>(points)),
        minima_(queries_at_once * blocks_.size()) {}

  void find(std::span<const Point> queries, NearestMatches& nearest) {
    static_assert(queries_at_once <= block_size);
    const Block<Real> at = blocks_of<Real>(queries).front();
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      block_minima_(blocks_[block].x.data(), blocks_[block].y.data(), at.x.data(), at.y.data(),
                    static_cast<std::int64_t>(queries.size()), minima_.data() + block,
                    static_cast<std::int64_t>(blocks_.size()));
    }
    for (std::size_t k = 0; k < queries.size(); ++k) {
      const Best best = decided(queries[k], std::span(minima_).subspan(k * blocks_.size(), blocks_.size()));
      nearest.index.push_back(static_cast<std::int64_t>(best.index));
      nearest.distance.push_back(std::sqrt(best.squared));
    }
  }

 private:
  /// Looks again, in float64 and where need be exactly, at all points that may be the nearest one.
  Best decided(const Point& query, std::span<const Real> minima) const {
    constexpr double lost = std::is_same_v<Real, float> ? float_underflow : 0;
    const double limit = no_less_than<Real>(static_cast<double>(*std::ranges::min_element(minima))) + lost;
    Best best;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (static_cast<double>(minima[block]) <= limit) offer_block(best, block, query, limit);
    }
    return best;
  }

  void offer_block(Best& best, std::size_t block, const Point& query, double limit) const {
    const std::size_t first = block * block_size;
    const std::array<Real, block_size> squared = squared_distances(blocks_[block], query);
    const std::size_t count = std::min(block_size, points_.size() - first);
    for (std::size_t k = 0; k < count; ++k) {
      if (static_cast<double>(squared[k]) <= limit) offer(best, points_, first + k, query);
    }
  }

  std::span<const Point> points_;
  BlockMinima<Real> block_minima_;
  std::vector<Block<Real>> blocks_;
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

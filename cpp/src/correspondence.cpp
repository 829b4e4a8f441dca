#include "percepts/correspondence.hpp"

#include <cmath>

#include "percepts/error.hpp"
#include "src/kept_matches.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"
#include "src/placing.hpp"

namespace percepts {
namespace {

/// The points of one image, within it.
struct PlacedPoints {
  std::vector<Point> pixels;
  std::vector<std::int32_t> locations;  ///< x and y of each, canonical
};

PlacedPoints placed(std::span<const Point> points, const char* name, const Placing& placing) {
  PlacedPoints result;
  result.pixels.reserve(points.size());
  result.locations.reserve(2 * points.size());
  for (std::size_t row = 0; row < points.size(); ++row) {
    const auto where = [&] { return message(name, "[", row, "]"); };
    result.pixels.push_back(placing.within(points[row], where));
    placing.append_location(result.locations, result.pixels.back());
  }
  return result;
}

void check(std::span<const double> confidence, std::size_t count) {
  if (confidence.size() != count) {
    throw InvalidArgument(
        message("confidence must have a value for each of the ", count, " matches, got ", confidence.size()));
  }
  for (std::size_t row = 0; row < count; ++row) {
    if (std::isfinite(confidence[row])) continue;
    throw InvalidArgument(message("confidence[", row, "] must be finite, got ", confidence[row]));
  }
}

void check(const Matches& matches, const CorrespondenceOptions& options) {
  check_size(options.size0, "size0");
  check_size(options.size1, "size1");
  if (options.max_items && *options.max_items < 0) {
    throw InvalidArgument(message("max_items must be at least 0, got ", *options.max_items));
  }
  const std::size_t count = matches.points0.size();
  if (matches.points1.size() != count) {
    throw InvalidArgument(
        message("points0 and points1 must be as many, got ", count, " and ", matches.points1.size()));
  }
  if (matches.confidence) check(*matches.confidence, count);
}

/// Writes where the kept points are, and keeps their pixels beside it.
Column kept(const PlacedPoints& points, const std::vector<std::size_t>& rows, const char* name,
            Program& program) {
  column::Integers column{.width = 2, .values = {}};
  std::vector<double> pixels;
  for (const std::size_t row : rows) {
    column.values.insert(column.values.end(), {points.locations[2 * row], points.locations[2 * row + 1]});
    pixels.insert(pixels.end(), {points.pixels[row].x, points.pixels[row].y});
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  program.arrays.push_back({.name = name, .shape = {count, 2}, .values = std::move(pixels)});
  return column;
}

}  // namespace

Keep keep(std::string_view name) {
  if (name == "confidence") return Keep::confidence;
  if (name == "spread") return Keep::spread;
  throw InvalidArgument(message("keep must be 'confidence' or 'spread', got '", name, "'"));
}

Program correspondence(const Matches& matches, const CorrespondenceOptions& options) {
  check(matches, options);
  const PlacedPoints points0 =
      placed(matches.points0, "points0", Placing(options.size0, options.outside, options.rounding));
  const PlacedPoints points1 =
      placed(matches.points1, "points1", Placing(options.size1, options.outside, options.rounding));
  const std::vector<std::size_t> rows =
      kept_matches(points0.locations, matches.confidence.value_or(std::span<const double>{}), options);

  Program program;
  program.modality = "correspondence";
  program.granularity = "keypoint";
  program.note = note_of(options);
  program.size = rows.size();
  program.p = column::Ordinal{};
  program.c = kept(points0, rows, "points0", program);
  program.r = kept(points1, rows, "points1", program);
  if (matches.confidence) {
    std::vector<double> confidence;
    for (const std::size_t row : rows) confidence.push_back((*matches.confidence)[row]);
    program.arrays.push_back({.name = "confidence",
                              .shape = {static_cast<std::int64_t>(rows.size())},
                              .values = std::move(confidence)});
  }
  return program;
}

}  // namespace percepts

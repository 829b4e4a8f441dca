#include "percepts/detection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "percepts/error.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

using Box = std::array<double, 4>;
using Rows = std::vector<std::size_t>;

constexpr std::int64_t longest_side = 2147483647;

Box box_at(std::span<const double> boxes, std::size_t row) {
  return {boxes[4 * row], boxes[4 * row + 1], boxes[4 * row + 2], boxes[4 * row + 3]};
}

[[noreturn]] void refuse(std::size_t row, const char* requirement, const Box& box) {
  throw InvalidArgument(message("boxes[", row, "] must ", requirement, ", got [", box[0], ", ", box[1], ", ",
                                box[2], ", ", box[3], "]"));
}

void check_box(const Box& box, std::size_t row, BoxFormat format) {
  const auto& [a, b, c, d] = box;
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c) || !std::isfinite(d)) {
    refuse(row, "be finite", box);
  }
  if (format == BoxFormat::xyxy) {
    if (c < a || d < b) refuse(row, "have x0 <= x1 and y0 <= y1", box);
  } else if (c < 0 || d < 0) {
    refuse(row, "have a width and a height of at least 0", box);
  }
}

Box corners_of(const Box& box, BoxFormat format) {
  const auto& [a, b, c, d] = box;
  if (format == BoxFormat::xywh) return {a, b, a + c, b + d};
  if (format == BoxFormat::cxcywh) return {a - c / 2, b - d / 2, a + c / 2, b + d / 2};
  return box;
}

/// Adding zero makes 0 of -0.
double clipped(double coordinate, double length) { return std::min(std::max(coordinate, 0.0), length) + 0.0; }

/// Both corners in pixels, clipped to the image.
Box clipped_corners(const Box& box, const DetectionOptions& options) {
  const auto width = static_cast<double>(options.extent.width);
  const auto height = static_cast<double>(options.extent.height);
  const double scale_x = options.normalized ? width : 1;
  const double scale_y = options.normalized ? height : 1;
  const auto [x0, y0, x1, y1] = corners_of(box, options.format);
  return {clipped(x0 * scale_x, width), clipped(y0 * scale_y, height), clipped(x1 * scale_x, width),
          clipped(y1 * scale_y, height)};
}

std::int32_t canonical(double coordinate, std::int64_t length) {
  return static_cast<std::int32_t>(std::floor(1000.0 * coordinate / static_cast<double>(length)));
}

void check_rows(const Detections& detections, std::size_t count, BoxFormat format) {
  if (detections.scores && detections.scores->size() != count) {
    throw InvalidArgument(
        message("scores must be one for each of the ", count, " boxes, got ", detections.scores->size()));
  }
  for (std::size_t row = 0; row < count; ++row) check_box(box_at(detections.boxes, row), row, format);
  for (std::size_t row = 0; detections.scores && row < count; ++row) {
    const double score = (*detections.scores)[row];
    if (!(score >= 0 && score <= 1)) {
      throw InvalidArgument(message("scores[", row, "] must be in [0, 1], got ", score));
    }
  }
}

/// The rows to keep, in their order.
Rows kept_rows(const std::optional<std::span<const double>>& scores, std::size_t count,
               const DetectionOptions& options) {
  Rows rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (scores) std::erase_if(rows, [&](std::size_t row) { return (*scores)[row] < options.min_score; });
  if (!options.max_items || std::cmp_less_equal(rows.size(), *options.max_items)) return rows;
  if (scores) {
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return (*scores)[a] > (*scores)[b]; });
  }
  rows.resize(static_cast<std::size_t>(*options.max_items));
  std::sort(rows.begin(), rows.end());
  return rows;
}

void add_boxes(Program& program, std::span<const double> boxes, const Rows& rows,
               const DetectionOptions& options) {
  column::Integers places{.width = 4, .values = {}};
  std::vector<double> pixels;
  places.values.reserve(4 * rows.size());
  pixels.reserve(4 * rows.size());
  const auto& [height, width] = options.extent;
  for (const std::size_t row : rows) {
    const Box box = clipped_corners(box_at(boxes, row), options);
    pixels.insert(pixels.end(), box.begin(), box.end());
    places.values.insert(places.values.end(), {canonical(box[0], width), canonical(box[1], height),
                                               canonical(box[2], width), canonical(box[3], height)});
  }
  program.c = std::move(places);
  program.arrays.push_back({"boxes", {static_cast<std::int64_t>(rows.size()), 4}, std::move(pixels)});
}

void add_scores(Program& program, std::span<const double> scores, const Rows& rows) {
  column::Reals readings{.width = 1, .values = {}, .format = NumberFormat::fixed4};
  std::vector<double> kept;
  readings.values.reserve(rows.size());
  kept.reserve(rows.size());
  for (const std::size_t row : rows) {
    kept.push_back(scores[row] + 0.0);
    readings.values.push_back(static_cast<float>(scores[row]));
  }
  program.r = std::move(readings);
  program.arrays.push_back({"scores", {static_cast<std::int64_t>(rows.size())}, std::move(kept)});
}

void add_labels(Program& program, column::Labels labels, const Rows& rows, std::size_t count) {
  const auto is_name = [&](std::int32_t k) { return k >= 0 && std::cmp_less(k, labels.names.size()); };
  if (labels.index.size() != count || !std::all_of(labels.index.begin(), labels.index.end(), is_name)) {
    throw InvalidArgument(message("labels must be one of the names for each of the ", count, " boxes"));
  }
  for (std::size_t item = 0; item < rows.size(); ++item) labels.index[item] = labels.index[rows[item]];
  labels.index.resize(rows.size());
  program.b = std::move(labels);
}

}  // namespace

BoxFormat box_format(std::string_view name) {
  if (name == "xyxy") return BoxFormat::xyxy;
  if (name == "xywh") return BoxFormat::xywh;
  if (name == "cxcywh") return BoxFormat::cxcywh;
  throw InvalidArgument(message("box_format must be 'xyxy', 'xywh' or 'cxcywh', got '", name, "'"));
}

void check(const DetectionOptions& options) {
  const auto& [height, width] = options.extent;
  if (std::min(width, height) < 1 || std::max(width, height) > longest_side) {
    throw InvalidArgument(message("size must be (width, height) of 1 to ", longest_side, " pixels, got (",
                                  width, ", ", height, ")"));
  }
  if (!(options.min_score >= 0 && options.min_score <= 1)) {
    throw InvalidArgument(message("min_score must be in [0, 1], got ", options.min_score));
  }
  if (options.max_items && *options.max_items < 0) {
    throw InvalidArgument(message("max_items must be at least 0, got ", *options.max_items));
  }
}

Program detection(Detections detections, const DetectionOptions& options) {
  check(options);
  if (detections.boxes.size() % 4 != 0) {
    throw InvalidArgument(message("boxes must have four numbers each, got ", detections.boxes.size()));
  }
  const std::size_t count = detections.boxes.size() / 4;
  check_rows(detections, count, options.format);
  const Rows rows = kept_rows(detections.scores, count, options);

  Program program;
  program.modality = "object-detection";
  program.granularity = "bounding-box";
  program.note = note_of(options, detections.scores.has_value(), detections.labels.has_value());
  program.size = rows.size();
  program.p = column::Ordinal{};
  add_boxes(program, detections.boxes, rows, options);
  if (detections.scores) add_scores(program, *detections.scores, rows);
  if (detections.labels) add_labels(program, *std::move(detections.labels), rows, count);
  return program;
}

}  // namespace percepts

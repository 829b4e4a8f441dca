#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "percepts/field.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// What the four numbers of a box are.
enum class BoxFormat : std::uint8_t {
  xyxy,    ///< upper left and lower right corner
  xywh,    ///< upper left corner, width and height
  cxcywh,  ///< centre, width and height
};

/// "xyxy", "xywh" or "cxcywh". Throws InvalidArgument for any other word.
BoxFormat box_format(std::string_view name);

/// How a detection program is made.
struct DetectionOptions {
  Extent extent;  ///< of the image
  BoxFormat format = BoxFormat::xyxy;
  bool normalized = false;                ///< boxes are of an image that is 1 wide and 1 high
  double min_score = 0;                   ///< keep what is at least as confident
  std::optional<std::int64_t> max_items;  ///< keep so many, the most confident, the first of equal ones
  Note note;
};

/// Throws InvalidArgument when an option is out of range, whatever the boxes.
void check(const DetectionOptions& options);

/// What a detector found in one image.
struct Detections {
  std::span<const double> boxes;                  ///< four numbers a box
  std::optional<std::span<const double>> scores;  ///< one a box, in [0, 1]
  std::optional<column::Labels> labels;           ///< one a box
};

/// The detection program of one image (paper, 3.2.5): the boxes clipped to the image, in the order given,
/// with their scores as readings. Throws InvalidArgument when an option is out of range, there is not one
/// score and one label for each box, or, naming the row, when a box is not finite or has x1 < x0 or y1 < y0,
/// or a score is not in [0, 1].
Program detection(Detections detections, const DetectionOptions& options);

}  // namespace percepts

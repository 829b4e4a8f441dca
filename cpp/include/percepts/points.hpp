#pragma once

#include <span>
#include <string>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/note.hpp"
#include "percepts/point.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// A point that a question is about.
struct LabelledPoint {
  std::string label;  ///< UTF-8
  Point point;        ///< in pixels
};

/// The points of one image.
struct ImagePoints {
  std::string image;  ///< its name, UTF-8
  Extent size;
  std::vector<LabelledPoint> points;
};

/// How a program of points is made.
struct PointsOptions {
  Outside outside = Outside::error;
  Note note;
};

/// The program of the points of one image, sorted by label. Its name is not printed. Throws InvalidArgument
/// for a size without pixels, what is not finite, and points outside the image unless these are to be moved.
Program points(const ImagePoints& image, const PointsOptions& options = {});

/// The program of the points of several images, sorted by the image's name and the label.
Program points(std::span<const ImagePoints> images, const PointsOptions& options = {});

}  // namespace percepts

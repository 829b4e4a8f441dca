#include "points.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "module.hpp"
#include "notes.hpp"
#include "percepts/correspondence.hpp"
#include "percepts/nearest_match.hpp"
#include "percepts/points.hpp"
#include "values.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

using Size = std::pair<std::int64_t, std::int64_t>;  // width, height

Extent extent_of(const Size& size) { return {.height = size.second, .width = size.first}; }

py::tuple nearest_match_of(const PointArray& points, const PointArray& queries) {
  const std::span<const Point> from = points_of(points);
  const std::span<const Point> to = points_of(queries);
  NearestMatches nearest;
  {
    const WithoutGil release;
    nearest = nearest_match(from, to);
  }
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(to.size())};
  return py::make_tuple(array_of<std::int64_t>(nearest.index, shape),
                        array_of<double>(nearest.distance, shape));
}

CorrespondenceOptions correspondence_options(const Size& size0, const Size& size1,
                                             std::optional<std::int64_t> max_items,
                                             std::string_view keep_word, std::string_view rounding_word,
                                             std::string_view outside_word, const py::object& note) {
  return {.size0 = extent_of(size0),
          .size1 = extent_of(size1),
          .max_items = max_items,
          .keep = keep(keep_word),
          .rounding = rounding(rounding_word),
          .outside = outside(outside_word),
          .note = note_of(note)};
}

Program correspondence_of(const PointArray& points0, const PointArray& points1,
                          const std::optional<py::array_t<double, py::array::c_style>>& confidence,
                          const CorrespondenceOptions& options) {
  Matches matches{.points0 = points_of(points0), .points1 = points_of(points1), .confidence = std::nullopt};
  if (confidence)
    matches.confidence = std::span(confidence->data(), static_cast<std::size_t>(confidence->size()));
  const WithoutGil release;
  return correspondence(matches, options);
}

using Locations = py::array_t<std::int32_t, py::array::c_style>;
using Confidence = py::array_t<double, py::array::c_style>;

std::vector<std::size_t> most_spread_of(const Locations& locations, std::size_t count,
                                        const std::optional<Confidence>& confidence) {
  const std::span places(locations.data(), static_cast<std::size_t>(locations.size()));
  std::span<const double> sure;
  if (confidence) sure = {confidence->data(), static_cast<std::size_t>(confidence->size())};
  const WithoutGil release;
  return most_spread(places, count, sure);
}

/// One image: its name, or None where it is the only one, its size, its labels and as many points.
using ImageOfPoints = std::tuple<std::optional<py::str>, Size, std::vector<py::str>, PointArray>;

ImagePoints image_of(const ImageOfPoints& given) {
  const auto& [name, size, labels, array] = given;
  const std::span<const Point> points = points_of(array);
  if (points.size() != labels.size()) throw py::value_error("the core reads as many points as labels");
  ImagePoints image{.image = name ? utf8_of(*name) : "", .size = extent_of(size), .points = {}};
  for (std::size_t k = 0; k < labels.size(); ++k) image.points.push_back({utf8_of(labels[k]), points[k]});
  return image;
}

Program points_program(const std::vector<ImageOfPoints>& given, bool several, std::string_view outside_word,
                       const py::object& note) {
  const PointsOptions options{.outside = outside(outside_word), .note = note_of(note)};
  std::vector<ImagePoints> images;
  for (const ImageOfPoints& image : given) images.push_back(image_of(image));
  if (several) return percepts::points(images, options);
  return percepts::points(images.at(0), options);
}

}  // namespace

std::span<const Point> points_of(const PointArray& array) {
  static_assert(sizeof(Point) == 2 * sizeof(double));
  if (array.ndim() != 2 || array.shape(1) != 2)
    throw py::value_error("the core reads points of shape (N, 2)");
  return {reinterpret_cast<const Point*>(array.data()), static_cast<std::size_t>(array.shape(0))};
}

void bind_points(py::module_& module) {
  py::class_<CorrespondenceOptions>(module, "CorrespondenceOptions").def(py::init(&correspondence_options));
  module.def("correspondence", &correspondence_of);
  module.def("points", &points_program);
  module.def("most_spread", &most_spread_of);
  module.def("nearest_match", &nearest_match_of);
}

}  // namespace percepts::bindings

#include "percepts/detection.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "module.hpp"
#include "notes.hpp"
#include "values.hpp"

namespace percepts::bindings {
namespace {

using Numbers = py::array_t<double, py::array::c_style>;
using Indices = py::array_t<std::int32_t, py::array::c_style>;

template <class T>
std::span<const T> span_of(const py::array_t<T, py::array::c_style>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

DetectionOptions detection_options(std::int64_t width, std::int64_t height, std::string_view format,
                                   bool normalized, double min_score, std::optional<std::int64_t> max_items,
                                   const py::object& note) {
  DetectionOptions options{.extent = {height, width},
                           .format = box_format(format),
                           .normalized = normalized,
                           .min_score = min_score,
                           .max_items = max_items,
                           .note = note_of(note)};
  check(options);
  return options;
}

column::Labels labels_of(const py::list& names, const Indices& index) {
  column::Labels labels;
  labels.names.reserve(names.size());
  for (const py::handle& name : names) labels.names.push_back(utf8_of(name));
  labels.index.assign(index.data(), index.data() + index.size());
  return labels;
}

Program detection_of(const Numbers& boxes, const std::optional<Numbers>& scores, double min_score,
                     const std::optional<py::list>& names, const std::optional<Indices>& index,
                     DetectionOptions options) {
  Detections detections{.boxes = span_of(boxes), .scores = {}, .labels = {}};
  if (scores) detections.scores = span_of(*scores);
  if (names && index) detections.labels = labels_of(*names, *index);
  options.min_score = min_score;
  return detection(std::move(detections), options);
}

py::tuple size_of(const DetectionOptions& options) {
  return py::make_tuple(options.extent.width, options.extent.height);
}

}  // namespace

void bind_detection(py::module_& module) {
  py::class_<DetectionOptions>(module, "DetectionOptions")
      .def(py::init(&detection_options))
      .def_property_readonly("size", &size_of);
  module.def("detection", &detection_of);
}

}  // namespace percepts::bindings

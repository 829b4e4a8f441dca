#include "percepts/segmentation.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "maps.hpp"
#include "module.hpp"
#include "notes.hpp"
#include "percepts/batch.hpp"
#include "values.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

SegmentationOptions segmentation_options(std::int32_t rows, std::int32_t cols,
                                         std::optional<std::int64_t> ignored, bool relations,
                                         const py::object& note) {
  return {.grid = {rows, cols}, .ignored = ignored, .relations = relations, .note = note_of(note)};
}

Program segmentation_of(const View& labels, const py::object& mask, const py::object& sentinels,
                        const SegmentationOptions& options) {
  const Field field = field_of(labels, mask, sentinels);
  const WithoutGil release;
  return segmentation(field, options);
}

std::vector<Program> segmentations_of(const py::sequence& prepared, const SegmentationOptions& options,
                                      std::size_t threads) {
  const std::vector<Field> fields = fields_of(prepared);
  const WithoutGil release;
  return segmentation(fields, options, {threads, &poll_python});
}

void name_labels_of(Program& program, const std::vector<py::str>& names) {
  std::vector<std::string> utf8;
  for (const py::str& name : names) utf8.push_back(utf8_of(name));
  name_labels(program, std::move(utf8));
}

}  // namespace

void bind_segmentation(py::module_& module) {
  py::class_<SegmentationOptions>(module, "SegmentationOptions").def(py::init(&segmentation_options));
  module.def("segmentation", &segmentation_of);
  module.def("segmentation_batch", &segmentations_of);
  module.def("dominant_labels", &dominant_labels);
  module.def("name_labels", &name_labels_of);
}

}  // namespace percepts::bindings

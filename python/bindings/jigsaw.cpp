#include "percepts/jigsaw.hpp"

#include <pybind11/stl.h>

#include "module.hpp"
#include "notes.hpp"
#include "values.hpp"
#include "view.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

/// H×W or H×W×C.
Image image_of(const View& view) {
  if (view.ndim != 2 && (view.ndim != 3 || view.shape[2] != 3)) {
    throw py::value_error("the core reads images of H×W or H×W×3");
  }
  return {.data = view.data,
          .dtype = view.dtype,
          .extent = {view.shape[0], view.shape[1]},
          .channels = view.ndim == 3 ? 3 : 1,
          .stride_y = view.strides[0],
          .stride_x = view.strides[1],
          .stride_channel = view.strides[2]};
}

Program jigsaw_of(const View& image, const std::vector<std::pair<py::str, View>>& pieces, std::int64_t strip,
                  const py::object& note) {
  const JigsawOptions options{.strip = strip, .note = note_of(note)};
  std::vector<JigsawPiece> candidates;
  for (const auto& [label, piece] : pieces) candidates.push_back({utf8_of(label), image_of(piece)});
  const Image source = image_of(image);
  const WithoutGil release;
  return jigsaw(source, candidates, options);
}

py::tuple strip_similarity_of(const View& strip0, const View& strip1) {
  const StripSimilarity similarity = strip_similarity(image_of(strip0), image_of(strip1));
  return py::make_tuple(similarity.structure, similarity.color, similarity.edge);
}

}  // namespace

void bind_jigsaw(py::module_& module) {
  module.def("jigsaw", &jigsaw_of);
  module.def("strip_similarity", &strip_similarity_of);
}

}  // namespace percepts::bindings

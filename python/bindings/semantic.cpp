#include "percepts/semantic.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "module.hpp"
#include "notes.hpp"
#include "values.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

using XY = std::pair<double, double>;
using Size = std::pair<std::int64_t, std::int64_t>;  // width and height

FeatureMap feature_map_of(const std::pair<const View*, bool>& features) {
  const auto& [view, channels_last] = features;
  if (view == nullptr || view->ndim != 3) throw py::value_error("the core reads three-dimensional features");
  const std::size_t c = channels_last ? 2 : 0;
  const std::size_t y = channels_last ? 0 : 1;
  return {.data = view->data,
          .dtype = view->dtype,
          .channels = view->shape[c],
          .extent = {view->shape[y], view->shape[y + 1]},
          .stride_c = view->strides[c],
          .stride_y = view->strides[y],
          .stride_x = view->strides[y + 1]};
}

std::optional<Extent> extent_of(const std::optional<Size>& size) {
  if (!size) return std::nullopt;
  return Extent{.height = size->second, .width = size->first};
}

std::vector<Point> points_of(const py::array_t<double, py::array::c_style>& points) {
  if (points.ndim() != 2 || points.shape(1) != 2)
    throw py::value_error("the core reads points of shape (K, 2)");
  std::vector<Point> list;
  for (py::ssize_t k = 0; k < points.shape(0); ++k) list.push_back({points.at(k, 0), points.at(k, 1)});
  return list;
}

py::array feature_similarity_of(const std::pair<const View*, bool>& features0,
                                const std::pair<const View*, bool>& features1, const XY& source,
                                const py::array_t<double, py::array::c_style>& targets,
                                const std::pair<std::optional<Size>, std::optional<Size>>& sizes) {
  const FeatureMap map0 = feature_map_of(features0);
  const FeatureMap map1 = feature_map_of(features1);
  const std::vector<Point> points = points_of(targets);
  std::vector<double> scores;
  {
    const WithoutGil release;
    scores = feature_similarity(map0, map1, {source.first, source.second}, points, extent_of(sizes.first),
                                extent_of(sizes.second));
  }
  return array_of<double>(scores, {targets.shape(0)});
}

std::vector<Candidate> candidates_of(const std::vector<py::str>& labels, const std::vector<XY>& points) {
  if (labels.size() != points.size()) throw py::value_error("the core reads a label for each point");
  std::vector<Candidate> candidates;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    candidates.push_back({utf8_of(labels[k]), {points[k].first, points[k].second}});
  }
  return candidates;
}

Program semantic_of(const std::pair<const View*, bool>& features0,
                    const std::pair<const View*, bool>& features1, const XY& source,
                    const std::vector<py::str>& labels, const std::vector<XY>& points,
                    const std::pair<Size, Size>& sizes, const py::object& note) {
  const FeatureMap map0 = feature_map_of(features0);
  const FeatureMap map1 = feature_map_of(features1);
  const std::vector<Candidate> candidates = candidates_of(labels, points);
  const SemanticOptions options{
      .size0 = *extent_of(sizes.first), .size1 = *extent_of(sizes.second), .note = note_of(note)};
  const WithoutGil release;
  return semantic(map0, map1, {source.first, source.second}, candidates, options);
}

Program semantic_scores_of(const std::vector<double>& scores, const std::vector<py::str>& labels,
                           const std::vector<XY>& points, const Size& size, const py::object& note) {
  return semantic_scores(scores, candidates_of(labels, points), *extent_of(size), note_of(note));
}

}  // namespace

void bind_semantic(py::module_& module) {
  module.def("feature_similarity", &feature_similarity_of);
  module.def("semantic", &semantic_of);
  module.def("semantic_scores", &semantic_scores_of);
}

}  // namespace percepts::bindings

#include "points.hpp"

#include "arrays.hpp"
#include "module.hpp"
#include "percepts/nearest_match.hpp"

namespace percepts::bindings {
namespace {

py::tuple nearest_match_of(const PointArray& points, const PointArray& queries) {
  const std::span<const Point> from = points_of(points);
  const std::span<const Point> to = points_of(queries);
  NearestMatches nearest;
  {
    const py::gil_scoped_release release;
    nearest = nearest_match(from, to);
  }
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(to.size())};
  return py::make_tuple(array_of<std::int64_t>(nearest.index, shape),
                        array_of<double>(nearest.distance, shape));
}

}  // namespace

std::span<const Point> points_of(const PointArray& array) {
  static_assert(sizeof(Point) == 2 * sizeof(double));
  if (array.ndim() != 2 || array.shape(1) != 2)
    throw py::value_error("the core reads points of shape (N, 2)");
  return {reinterpret_cast<const Point*>(array.data()), static_cast<std::size_t>(array.shape(0))};
}

void bind_points(py::module_& module) { module.def("nearest_match", &nearest_match_of); }

}  // namespace percepts::bindings

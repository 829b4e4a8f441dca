#include "percepts/kernels.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "module.hpp"
#include "percepts/instruction_sets.hpp"
#include "percepts/label_mode.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

/// float32 holds the extremes of these exactly.
bool fits_float32(DType dtype) { return size_of(dtype) < 4 || dtype == DType::float32; }

py::tuple grid_stats_of(const View& array, const py::object& mask, const py::object& sentinels,
                        std::int32_t rows, std::int32_t cols) {
  const Field field = field_of(array, mask, sentinels);
  GridStats stats;
  {
    const WithoutGil release;
    stats = grid_stats(field, Grid{rows, cols});
  }
  const std::vector<py::ssize_t> shape{rows, cols};
  const auto extremes = [&](const std::vector<double>& values) -> py::array {
    if (fits_float32(field.dtype)) return array_of<float>(values, shape);
    return array_of<double>(values, shape);
  };
  return py::make_tuple(extremes(stats.min), extremes(stats.max), array_of<double>(stats.mean, shape),
                        array_of<std::int32_t>(stats.count, shape));
}

py::array cell_median_of(const View& array, const py::object& mask, const py::object& sentinels,
                         std::int32_t rows, std::int32_t cols) {
  const Field field = field_of(array, mask, sentinels);
  CellMedians medians;
  {
    const WithoutGil release;
    medians = cell_median(field, Grid{rows, cols});
  }
  if (fits_float32(field.dtype)) return array_of<float>(medians.median, {rows, cols});
  return array_of<double>(medians.median, {rows, cols});
}

py::array flow_sign_of(const View& component, const py::object& mask, const py::object& sentinels,
                       std::int32_t rows, std::int32_t cols) {
  const Field field = field_of(component, mask, sentinels);
  std::vector<std::int8_t> signs;
  {
    const WithoutGil release;
    signs = flow_sign(field, Grid{rows, cols});
  }
  return array_of<std::int8_t>(signs, {rows, cols});
}

template <class Label>
py::array labels_of(const LabelModes& modes, const std::vector<py::ssize_t>& shape) {
  return array_of<Label>(modes.label, shape);
}

/// Labels in their own dtype.
py::array labels_of(const LabelModes& modes, DType dtype, const std::vector<py::ssize_t>& shape) {
  switch (dtype) {
    case DType::boolean:
      return labels_of<bool>(modes, shape);
    case DType::int8:
      return labels_of<std::int8_t>(modes, shape);
    case DType::uint8:
      return labels_of<std::uint8_t>(modes, shape);
    case DType::int16:
      return labels_of<std::int16_t>(modes, shape);
    case DType::uint16:
      return labels_of<std::uint16_t>(modes, shape);
    case DType::int32:
      return labels_of<std::int32_t>(modes, shape);
    case DType::uint32:
      return labels_of<std::uint32_t>(modes, shape);
    case DType::uint64:
      return labels_of<std::uint64_t>(modes, shape);
    default:
      return labels_of<std::int64_t>(modes, shape);
  }
}

py::tuple label_mode_of(const View& labels, const py::object& mask, const py::object& sentinels,
                        std::int32_t rows, std::int32_t cols, std::optional<std::int64_t> ignored) {
  const Field field = field_of(labels, mask, sentinels);
  LabelModes modes;
  {
    const WithoutGil release;
    modes = label_mode(field, Grid{rows, cols}, ignored);
  }
  const std::vector<py::ssize_t> shape{rows, cols};
  return py::make_tuple(labels_of(modes, field.dtype, shape), array_of<double>(modes.share, shape));
}

py::array neighbor_relations_of(const py::array_t<double, py::array::c_style>& mean, double tau) {
  const Grid grid{static_cast<std::int32_t>(mean.shape(0)), static_cast<std::int32_t>(mean.shape(1))};
  const std::span<const double> values{mean.data(), static_cast<std::size_t>(mean.size())};
  return array_of<std::int8_t>(neighbor_relations(values, grid, tau), {grid.rows, grid.cols, 2});
}

}  // namespace

void bind_kernels(py::module_& module) {
  module.def("instruction_sets", &instruction_sets);
  module.def("instruction_set", &instruction_set);
  module.def("grid_stats", &grid_stats_of);
  module.def("cell_median", &cell_median_of);
  module.def("flow_sign", &flow_sign_of);
  module.def("label_mode", &label_mode_of);
  module.def("neighbor_relations", &neighbor_relations_of);
}

}  // namespace percepts::bindings

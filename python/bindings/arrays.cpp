#include "arrays.hpp"

#include <string_view>

namespace percepts::bindings {

Field field_of(const View& map, const py::object& mask, const py::object& sentinels) {
  if (map.ndim != 2) throw py::value_error("the core reads two-dimensional arrays");
  Field field{.data = map.data,
              .dtype = map.dtype,
              .extent = {map.shape[0], map.shape[1]},
              .stride_y = map.strides[0],
              .stride_x = map.strides[1],
              .mask = {},
              .sentinels = {}};
  if (!mask.is_none()) {
    const auto& pixels = mask.cast<const View&>();
    if (pixels.ndim != 2 || pixels.shape != map.shape || pixels.dtype != DType::boolean) {
      throw py::value_error("the core reads boolean masks of the shape of the array");
    }
    field.mask = {.data = pixels.data, .stride_y = pixels.strides[0], .stride_x = pixels.strides[1]};
  }
  if (!sentinels.is_none()) {
    const auto packed = sentinels.cast<std::string_view>();
    if (packed.size() % size_of(map.dtype) != 0) {
      throw py::value_error("the core reads sentinels of the dtype of the array");
    }
    field.sentinels = std::as_bytes(std::span(packed));
  }
  return field;
}

}  // namespace percepts::bindings

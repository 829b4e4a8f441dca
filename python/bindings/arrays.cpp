#include "arrays.hpp"

#include <string>

namespace percepts::bindings {
namespace {

DType dtype_of(const py::dtype& dtype) {
  const auto size = dtype.itemsize();
  switch (dtype.kind()) {
    case 'b':
      return DType::boolean;
    case 'i':
      return size == 1 ? DType::int8 : size == 2 ? DType::int16 : size == 4 ? DType::int32 : DType::int64;
    case 'u':
      return size == 1 ? DType::uint8 : size == 2 ? DType::uint16 : size == 4 ? DType::uint32 : DType::uint64;
    case 'f':
      if (size == 2) return DType::float16;
      if (size == 4) return DType::float32;
      if (size == 8) return DType::float64;
      break;
    default:
      break;
  }
  throw py::type_error("the core has no elements of dtype " + std::string(py::str(dtype)));
}

const std::byte* bytes_of(const py::array& array) { return static_cast<const std::byte*>(array.data()); }

}  // namespace

Field field_of(const py::array& array, const py::object& mask, const py::object& sentinels) {
  if (array.ndim() != 2) throw py::value_error("the core reads two-dimensional arrays");
  Field field{.data = bytes_of(array),
              .dtype = dtype_of(array.dtype()),
              .extent = {array.shape(0), array.shape(1)},
              .stride_y = array.strides(0),
              .stride_x = array.strides(1),
              .mask = {},
              .sentinels = {}};
  if (!mask.is_none()) {
    const auto pixels = mask.cast<py::array>();
    if (pixels.ndim() != 2 || pixels.shape(0) != array.shape(0) || pixels.shape(1) != array.shape(1) ||
        pixels.dtype().kind() != 'b') {
      throw py::value_error("the core reads boolean masks of the shape of the array");
    }
    field.mask = {.data = bytes_of(pixels), .stride_y = pixels.strides(0), .stride_x = pixels.strides(1)};
  }
  if (!sentinels.is_none()) {
    const auto packed = sentinels.cast<py::array>();
    if (!packed.dtype().equal(array.dtype())) {
      throw py::value_error("the core reads sentinels of the dtype of the array");
    }
    field.sentinels = {bytes_of(packed), static_cast<std::size_t>(packed.nbytes())};
  }
  return field;
}

}  // namespace percepts::bindings

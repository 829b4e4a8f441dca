#include "view.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "cuda_arrays.hpp"
#include "dlpack.hpp"
#include "dlpack_abi.hpp"
#include "module.hpp"

namespace percepts::bindings {
namespace {

/// Types that other packages add to NumPy are numbered from here on.
constexpr int first_added_type = 256;

DType dtype_of(const py::dtype& dtype, std::string_view name) {
  const auto size = dtype.itemsize();
  const auto of_size = [&](DType bytes1, DType bytes2, DType bytes4, DType bytes8) {
    return size == 1 ? bytes1 : size == 2 ? bytes2 : size == 4 ? bytes4 : bytes8;
  };
  if (dtype.num() >= first_added_type) {
    if (py::str(dtype).cast<std::string>() == "bfloat16") return DType::bfloat16;
  } else if (size <= 8) {
    switch (dtype.kind()) {
      case 'b':
        return DType::boolean;
      case 'i':
        return of_size(DType::int8, DType::int16, DType::int32, DType::int64);
      case 'u':
        return of_size(DType::uint8, DType::uint16, DType::uint32, DType::uint64);
      case 'f':
        return of_size({}, DType::float16, DType::float32, DType::float64);
      default:
        break;
    }
  }
  throw_bad_dtype(name, py::str(dtype));
}

py::array in_native_order(py::array array) {
  const char order = array.dtype().byteorder();
  if (order == '=' || order == '|') return array;
  return array.attr("astype")(array.dtype().attr("newbyteorder")("="));
}

View view_of_numpy(py::array given, std::string_view name) {
  check_dimensions(name, given.ndim());
  const DType dtype = dtype_of(given.dtype(), name);
  py::array array = in_native_order(std::move(given));
  View view{.data = static_cast<const std::byte*>(array.data()),
            .dtype = dtype,
            .ndim = static_cast<int>(array.ndim()),
            .device = static_cast<std::int32_t>(dlpack::DeviceType::cpu),
            .device_id = 0,
            .stream = 0,
            .owner = {}};
  std::copy_n(array.shape(), view.ndim, view.shape.begin());
  std::copy_n(array.strides(), view.ndim, view.strides.begin());
  view.owner = std::move(array);
  return view;
}

/// A tuple of a view's lengths or strides.
template <class Values>
py::tuple tuple_of(const View& view, const Values& values) {
  py::tuple tuple(view.ndim);
  for (int axis = 0; axis < view.ndim; ++axis) tuple[axis] = values[static_cast<std::size_t>(axis)];
  return tuple;
}

/// NumPy's read-only view of the same memory; bfloat16, which NumPy does not have, as its bits.
py::array numpy_of(const py::object& self) {
  const auto& view = self.cast<const View&>();
  if (view.on_cuda()) throw py::type_error("NumPy reads host memory, got an array on " + device_name(view));
  const std::string_view name = name_of(view.dtype == DType::bfloat16 ? DType::uint16 : view.dtype);
  const std::vector<py::ssize_t> shape(view.shape.begin(), view.shape.begin() + view.ndim);
  const std::vector<py::ssize_t> strides(view.strides.begin(), view.strides.begin() + view.ndim);
  py::array array(py::dtype(std::string(name)), shape, strides, view.data, self);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

View part_of_view(const View& view, int axis, std::int64_t index) {
  if (axis < 0 || axis >= view.ndim || index < 0 || index >= view.shape[static_cast<std::size_t>(axis)]) {
    throw py::index_error("a view has no such part");
  }
  return part_of(view, axis, index);
}

}  // namespace

void throw_bad_dtype(std::string_view name, const std::string& dtype) {
  throw py::type_error(std::string(name) +
                       " must be boolean, integer or floating point of up to 64 bits, got " + dtype);
}

void check_dimensions(std::string_view name, std::int64_t count) {
  if (count >= 0 && count <= most_dimensions) return;
  throw py::value_error(std::string(name) + " must have at most " + std::to_string(most_dimensions) +
                        " dimensions, got " + std::to_string(count));
}

void check_bytes(std::string_view name, const View& view) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto end = view.shape.begin() + view.ndim;
  if (std::find(view.shape.begin(), end, 0) != end) return;
  std::int64_t rest = most / static_cast<std::int64_t>(size_of(view.dtype));
  for (auto length = view.shape.begin(); length != end; ++length) rest /= *length;
  if (rest > 0) return;
  throw py::value_error(std::string(name) + " must have at most " + std::to_string(most) +
                        " bytes, got shape " + std::string(py::str(tuple_of(view, view.shape))) + " of " +
                        std::string(name_of(view.dtype)));
}

std::string device_name(const View& view) {
  return view.on_cuda() ? "cuda:" + std::to_string(view.device_id) : "cpu";
}

py::object view_of(const py::object& value, std::string_view name, CudaArrays cuda) {
  if (py::isinstance<py::array>(value)) {
    return py::cast(view_of_numpy(py::reinterpret_borrow<py::array>(value), name));
  }
  std::optional<View> view = view_through_dlpack(value, name, cuda);
  if (!view) view = view_through_cuda_interface(value, name, cuda);
  return view ? py::cast(std::move(*view)) : py::none();
}

std::optional<View> plain_view_of(const py::object& value, std::string_view name) {
  if (!py::isinstance<py::array>(value)) return view_through_dlpack(value, name, CudaArrays::viewed);
  if (Py_TYPE(value.ptr()) != py::detail::npy_api::get().PyArray_Type_)
    return std::nullopt;  // such as a masked array
  return view_of_numpy(py::reinterpret_borrow<py::array>(value), name);
}

View part_of(const View& view, int axis, std::int64_t index) {
  View part = view;
  const auto dropped = static_cast<std::size_t>(axis);
  if (part.data != nullptr) part.data += index * view.strides[dropped];
  std::copy(view.shape.begin() + axis + 1, view.shape.end(), part.shape.begin() + axis);
  std::copy(view.strides.begin() + axis + 1, view.strides.end(), part.strides.begin() + axis);
  part.shape.back() = 0;
  --part.ndim;
  return part;
}

void bind_view(py::module_& module) {
  py::class_<View>(module, "View")
      .def_readonly("ndim", &View::ndim)
      .def_readonly("device", &View::device)
      .def_readonly("device_id", &View::device_id)
      .def_readonly("stream", &View::stream)
      .def_property_readonly("on_cuda", &View::on_cuda)
      .def_property_readonly("device_name", &device_name)
      .def_property_readonly("dtype", [](const View& view) { return name_of(view.dtype); })
      .def_property_readonly("shape", [](const View& view) { return tuple_of(view, view.shape); })
      .def_property_readonly("strides", [](const View& view) { return tuple_of(view, view.strides); })
      .def("part", &part_of_view)
      .def("numpy", &numpy_of);
  module.def("view", [](const py::object& value, std::string_view name) {
    return view_of(value, name, CudaArrays::refused);
  });
  module.def("view_anywhere", [](const py::object& value, std::string_view name) {
    return view_of(value, name, CudaArrays::viewed);
  });
}

}  // namespace percepts::bindings

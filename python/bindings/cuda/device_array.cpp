#include "device_array.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "../cuda_arrays.hpp"
#include "dlpack_export.hpp"

namespace percepts::bindings::devices {
namespace {

Stream stream_at(std::uintptr_t address) { return reinterpret_cast<Stream>(address); }

py::tuple tuple_of(const auto& values) {
  py::tuple tuple(values.size());
  for (std::size_t axis = 0; axis < values.size(); ++axis) tuple[axis] = values[axis];
  return tuple;
}

/// Type strings of NumPy, by which the CUDA array interface names types; bfloat16 has none.
std::string typestr_of(DType dtype) {
  const std::string_view name = name_of(dtype);
  const char kind = dtype == DType::boolean     ? 'b'
                    : name.starts_with("float") ? 'f'
                    : name.starts_with("uint")  ? 'u'
                                                : 'i';
  return (size_of(dtype) == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(size_of(dtype));
}

py::dict cuda_interface_of(const DeviceArray& array) {
  if (array.dtype == DType::bfloat16) throw py::attribute_error("the CUDA array interface has no bfloat16");
  using namespace py::literals;
  py::object stream = py::none();
  if (array.stream) stream = py::int_(stream_number(reinterpret_cast<std::uintptr_t>(*array.stream)));
  return py::dict("shape"_a = tuple_of(array.shape), "typestr"_a = typestr_of(array.dtype),
                  "data"_a = py::make_tuple(reinterpret_cast<std::uintptr_t>(array.data), false),
                  "strides"_a = tuple_of(array.strides), "stream"_a = stream, "version"_a = 3);
}

std::string type_of(const py::object& value) {
  return py::type::of(value).attr("__name__").cast<std::string>();
}

std::ptrdiff_t position_of(const py::object& index) {
  // True and False are indices of arrays by masks, and arrays have __index__ whatever they hold.
  if (PyIndex_Check(index.ptr()) != 0 && !PyBool_Check(index.ptr())) {
    const py::ssize_t position = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
    if (position != -1 || PyErr_Occurred() == nullptr) return position;
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
    PyErr_Clear();
  }
  throw py::type_error("an index of an array on a device must be an int, a slice or an ellipsis, got " +
                       type_of(index));
}

/// The array with an axis cut to a slice, or taken away by an index.
void cut(DeviceArray& array, std::size_t axis, const py::object& index) {
  const auto length = array.shape[axis];
  const auto at = static_cast<std::ptrdiff_t>(axis);
  if (py::isinstance<py::slice>(index)) {
    py::ssize_t start = 0;
    py::ssize_t stop = 0;
    py::ssize_t step = 0;
    py::ssize_t count = 0;
    if (!index.cast<py::slice>().compute(length, &start, &stop, &step, &count)) throw py::error_already_set();
    if (count > 0) array.data += start * array.strides[axis];
    array.shape[axis] = count;
    array.strides[axis] *= step;
    return;
  }
  auto position = position_of(index);
  if (position < 0) position += length;
  if (position < 0 || position >= length) throw py::index_error("there is no such part of the array");
  array.data += position * array.strides[axis];
  array.shape.erase(array.shape.begin() + at);
  array.strides.erase(array.strides.begin() + at);
}

DeviceArray part_of_array(const DeviceArray& array, const py::object& key) {
  DeviceArray part = array;
  const py::tuple keys = py::isinstance<py::tuple>(key) ? py::tuple(key) : py::make_tuple(key);
  std::size_t axis = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (py::object(keys[k]).ptr() == Py_Ellipsis) {
      axis = part.shape.size() - std::min(part.shape.size(), keys.size() - k - 1);
      continue;
    }
    if (axis >= part.shape.size()) throw py::index_error("the array has fewer dimensions");
    const std::size_t before = part.shape.size();
    cut(part, axis, py::object(keys[k]));
    if (part.shape.size() == before) ++axis;
  }
  return part;
}

/// -1 for an int that is no axis of any array.
std::ptrdiff_t axis_of(const py::object& axis) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(axis.ptr()));
  if (!number) {
    PyErr_Clear();
    throw py::type_error("an axis of an array on a device must be an int, got " + type_of(axis));
  }
  const py::ssize_t position = PyNumber_AsSsize_t(number.ptr(), nullptr);
  return position < 0 ? -1 : position;
}

DeviceArray transposed(const DeviceArray& array, const py::args& axes) {
  DeviceArray turned = array;
  const std::size_t count = array.shape.size();
  if (axes.empty()) {
    std::reverse(turned.shape.begin(), turned.shape.end());
    std::reverse(turned.strides.begin(), turned.strides.end());
    return turned;
  }
  std::vector<bool> seen(count);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto axis = static_cast<std::size_t>(axis_of(axes[k]));
    if (axes.size() != count || axis >= count || seen[axis]) {
      throw py::value_error("transpose needs each of the axes from 0 to " + std::to_string(count) +
                            " (not included) once, got " + std::string(py::repr(axes)));
    }
    seen[axis] = true;
    turned.shape[k] = array.shape[axis];
    turned.strides[k] = array.strides[axis];
  }
  return turned;
}

std::string text_of(const DeviceArray& array) {
  return "<DeviceArray " + std::string(name_of(array.dtype)) + " " +
         std::string(py::str(tuple_of(array.shape))) + " on cuda:" + std::to_string(array.device) + ">";
}

/// Memory whose streams were being captured when it was dropped: it can go back when they are not any more.
struct Left {
  int device;
  std::byte* data;
  std::vector<HeldStream> streams;
};

class LeftMemory {
 public:
  void add(Left left) {
    const std::lock_guard lock(mutex_);
    left_.push_back(std::move(left));
  }

  std::vector<Left> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(left_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Left> left_;
};

LeftMemory& left_memory() {
  static auto& instance = *new LeftMemory;
  return instance;
}

void give_back(Left left) {
  try {
    const Stream own = own_stream(left.device);
    for (const auto& [stream, owner] : left.streams) {
      if (is_capturing(left.device, stream)) {
        left_memory().add(std::move(left));
        return;
      }
    }
    for (const auto& [stream, owner] : left.streams) {
      if (stream != own) put_in_order(left.device, stream, own);
    }
    release(left.device, left.data, own);
  } catch (const std::exception&) {  // the device is lost, and its memory with it
  }
}

}  // namespace

Memory::Memory(int device, std::size_t bytes, Stream stream) : device_(device) {
  add_stream(stream);
  for (Left& left : left_memory().take()) give_back(std::move(left));
  data_ = static_cast<std::byte*>(allocate(device, std::max<std::size_t>(bytes, 1), stream));
}

Memory::~Memory() { give_back({.device = device_, .data = data_, .streams = streams_}); }

void Memory::add_stream(Stream stream) {
  const auto is_same = [stream](const HeldStream& held) { return held.stream == stream; };
  if (std::any_of(streams_.begin(), streams_.end(), is_same)) return;
  streams_.push_back({.stream = stream, .owner = OwnedStream::owner_of(stream)});
}

namespace {

/// The most there is for what is more: no device has room for so much, and says so.
std::ptrdiff_t product_of(std::ptrdiff_t bytes, std::int64_t length) {
  constexpr std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max();
  return length != 0 && bytes > most / length ? most : bytes * length;
}

}  // namespace

DeviceArray new_array(int device, DType dtype, std::vector<std::int64_t> shape, Stream stream) {
  std::vector<std::ptrdiff_t> strides(shape.size());
  auto bytes = static_cast<std::ptrdiff_t>(size_of(dtype));
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = bytes;
    bytes = product_of(bytes, shape[axis]);
  }
  auto memory = std::make_shared<Memory>(device, static_cast<std::size_t>(bytes), stream);
  std::byte* const data = memory->data();
  return {.data = data,
          .dtype = dtype,
          .shape = std::move(shape),
          .strides = std::move(strides),
          .device = device,
          .stream = stream,
          .memory = std::move(memory),
          .owner = nullptr};
}

DType dtype_named(std::string_view name) {
  for (int index = 0; index <= static_cast<int>(DType::float64); ++index) {
    if (name_of(static_cast<DType>(index)) == name) return static_cast<DType>(index);
  }
  throw py::type_error("the core has no elements of dtype " + std::string(name));
}

View view_of(const DeviceArray& array, py::object owner) {
  if (array.shape.size() > most_dimensions) throw py::value_error("the core reads at most eight dimensions");
  View view{
      .data = array.data,
      .dtype = array.dtype,
      .ndim = static_cast<int>(array.shape.size()),
      .device = static_cast<std::int32_t>(dlpack::DeviceType::cuda),
      .device_id = array.device,
      .stream = reinterpret_cast<std::uintptr_t>(array.stream ? *array.stream : own_stream(array.device)),
      .owner = std::move(owner)};
  std::copy(array.shape.begin(), array.shape.end(), view.shape.begin());
  std::copy(array.strides.begin(), array.strides.end(), view.strides.begin());
  return view;
}

void bind_device_array(py::module_& module) {
  py::class_<DeviceArray>(module, "DeviceArray", py::module_local())
      .def_property_readonly("shape", [](const DeviceArray& array) { return tuple_of(array.shape); })
      .def_property_readonly("strides", [](const DeviceArray& array) { return tuple_of(array.strides); })
      .def_property_readonly("ndim", [](const DeviceArray& array) { return array.shape.size(); })
      .def_property_readonly("dtype", [](const DeviceArray& array) { return name_of(array.dtype); })
      .def_property_readonly("device",
                             [](const DeviceArray& array) { return "cuda:" + std::to_string(array.device); })
      .def_property_readonly("stream",
                             [](const DeviceArray& array) -> std::optional<std::uintptr_t> {
                               if (!array.stream) return std::nullopt;
                               return reinterpret_cast<std::uintptr_t>(*array.stream);
                             })
      .def("view", [](const py::object& self) { return view_of(self.cast<const DeviceArray&>(), self); })
      .def("transpose", &transposed)
      .def_property_readonly("T", [](const DeviceArray& array) { return transposed(array, py::args()); })
      .def("__len__",
           [](const DeviceArray& array) {
             if (array.shape.empty()) throw py::type_error("an array without dimensions has no length");
             return array.shape[0];
           })
      .def("__getitem__", &part_of_array)
      .def("__repr__", &text_of)
      .def("__array__",
           [](const DeviceArray& array, const py::args&, const py::kwargs&) -> py::object {
             throw py::type_error("NumPy reads host memory, got an array on cuda:" +
                                  std::to_string(array.device) + ": percepts.testing.to_numpy copies it");
           })
      .def_property_readonly("__cuda_array_interface__", &cuda_interface_of)
      .def("__dlpack_device__",
           [](const DeviceArray& array) {
             return py::make_tuple(static_cast<int>(dlpack::DeviceType::cuda), array.device);
           })
      .def("__dlpack__", &dlpack_capsule_of, py::kw_only(), py::arg("stream") = py::none(),
           py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
           py::arg("copy") = py::none());
  module.def("empty",
             [](int device, std::string_view dtype, std::vector<std::int64_t> shape, std::uintptr_t stream) {
               return new_array(device, dtype_named(dtype), std::move(shape), stream_at(stream));
             });
}

}  // namespace percepts::bindings::devices

#include "cuda_arrays.hpp"

#include <algorithm>
#include <utility>

#include "dlpack_abi.hpp"

namespace percepts::bindings {
namespace {

constexpr const char* attribute = "__cuda_array_interface__";

/// The Python layer knows which module serves devices, and the libraries that have streams of their own.
py::object devices(const char* function) { return py::module_::import("percepts._devices").attr(function); }

[[noreturn]] void throw_bad_interface(std::string_view name, const std::string& what) {
  throw py::type_error(std::string(name) + " must have a " + attribute + " of version 2 or 3, got one " +
                       what);
}

py::object entry(const py::dict& interface, const char* key) {
  return interface.contains(key) ? py::object(interface[key]) : py::none();
}

DType dtype_of(const std::string& typestr, std::string_view name) {
  const bool is_native = typestr.size() == 3 && (typestr[0] == '<' || typestr[0] == '|' || typestr[0] == '=');
  constexpr std::pair<std::string_view, DType> known[] = {
      {"b1", DType::boolean}, {"i1", DType::int8},    {"u1", DType::uint8},   {"i2", DType::int16},
      {"u2", DType::uint16},  {"i4", DType::int32},   {"u4", DType::uint32},  {"i8", DType::int64},
      {"u8", DType::uint64},  {"f2", DType::float16}, {"f4", DType::float32}, {"f8", DType::float64}};
  if (is_native) {
    for (const auto& [code, dtype] : known) {
      if (typestr.substr(1) == code) return dtype;
    }
  }
  throw_bad_dtype(name, typestr);
}

std::uintptr_t stream_of(const py::object& stated) {
  return stated.is_none() ? 0 : stated.cast<std::uintptr_t>();
}

View view_of_interface(const py::dict& interface, const py::object& value, std::string_view name) {
  const auto shape = py::tuple(entry(interface, "shape"));
  check_dimensions(name, static_cast<std::int64_t>(shape.size()));
  const auto [address, read_only] = entry(interface, "data").cast<std::pair<std::uintptr_t, bool>>();
  View view{.data = reinterpret_cast<const std::byte*>(address),
            .dtype = dtype_of(entry(interface, "typestr").cast<std::string>(), name),
            .ndim = static_cast<int>(shape.size()),
            .device = static_cast<std::int32_t>(dlpack::DeviceType::cuda),
            .device_id = 0,
            .stream = stream_of(entry(interface, "stream")),
            .owner = value};
  const py::object strides = entry(interface, "strides");
  if (!strides.is_none() && py::len(strides) != shape.size()) {
    throw_bad_interface(name, "whose strides are not as many as its lengths");
  }
  auto packed = static_cast<std::uint64_t>(size_of(view.dtype));
  bool is_empty = false;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    view.shape[axis] = shape[axis].cast<std::int64_t>();
    if (view.shape[axis] < 0) throw_bad_interface(name, "with a length below 0");
    is_empty = is_empty || view.shape[axis] == 0;
    view.strides[axis] = strides.is_none() ? static_cast<std::ptrdiff_t>(packed)
                                           : py::tuple(strides)[axis].cast<std::ptrdiff_t>();
    packed *= static_cast<std::uint64_t>(view.shape[axis]);
  }
  check_bytes(name, view);
  if (view.data == nullptr && !is_empty) throw_bad_interface(name, "without an address");
  return view;
}

/// The device whose memory it is; any for an array without elements.
std::int32_t device_of(const View& view, std::string_view name) {
  const auto end = view.shape.begin() + view.ndim;
  if (std::find(view.shape.begin(), end, 0) != end) return 0;
  return devices("device_of")(reinterpret_cast<std::uintptr_t>(view.data), name).cast<std::int32_t>();
}

}  // namespace

void throw_on_cuda(std::string_view name, const std::string& device) {
  throw py::type_error(std::string(name) + " must be in host memory, got an array on " + device);
}

std::uintptr_t stream_for(const py::object& value, std::int32_t device_id, std::string_view name) {
  return devices("stream_for")(value, device_id, name).cast<std::uintptr_t>();
}

std::optional<View> view_through_cuda_interface(const py::object& value, std::string_view name,
                                                CudaArrays cuda) {
  if (!py::hasattr(value, attribute)) return std::nullopt;
  if (cuda == CudaArrays::refused) throw_on_cuda(name, "a CUDA device");
  devices("serving")(name, "a CUDA device");  // whatever it says, without CUDA it cannot be read
  View view;
  try {
    const py::object given = value.attr(attribute);
    if (!py::isinstance<py::dict>(given)) throw_bad_interface(name, "that is no dict");
    const py::dict interface(given);
    const auto version = py::int_(entry(interface, "version")).cast<std::int64_t>();
    if (version < 2 || version > 3) throw_bad_interface(name, "of version " + std::to_string(version));
    if (!entry(interface, "mask").is_none()) throw_bad_interface(name, "with a mask: give it as an argument");
    view = view_of_interface(interface, value, name);
  } catch (py::cast_error&) {
    throw_bad_interface(name, "that says " + std::string(py::repr(value.attr(attribute))));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    throw_bad_interface(name, "that says " + std::string(py::repr(value.attr(attribute))));
  }
  view.device_id = device_of(view, name);
  return view;
}

}  // namespace percepts::bindings

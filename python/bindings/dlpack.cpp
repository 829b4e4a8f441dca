#include "dlpack.hpp"

#include <algorithm>

#include "cuda_arrays.hpp"
#include "dlpack_abi.hpp"
#include "torch.hpp"

namespace percepts::bindings {
namespace {

using dlpack::DataType;
using dlpack::ExchangeApi;
using dlpack::ManagedTensor;
using dlpack::ManagedTensorVersioned;
using dlpack::Tensor;
using dlpack::TypeCode;

constexpr const char* api_capsule = "dlpack_exchange_api";

/// Says what a producer says, in its first line: torch adds a stack. Errors that are not about the array
/// pass.
[[noreturn]] void throw_not_handed_over(py::error_already_set& error, std::string_view name,
                                        const std::string& what) {
  for (PyObject* kind : {PyExc_AttributeError, PyExc_BufferError, PyExc_LookupError, PyExc_RuntimeError,
                         PyExc_TypeError, PyExc_ValueError}) {
    if (!error.matches(kind)) continue;
    const std::string text = py::str(error.value());
    const std::string message = std::string(name) + " must be an array that DLPack can hand over, got " +
                                what + text.substr(0, text.find('\n'));
    py::raise_from(error, PyExc_TypeError, message.c_str());
    throw py::error_already_set();
  }
  throw;
}

std::string name_of_code(TypeCode code) {
  constexpr std::array names{"int",
                             "uint",
                             "float",
                             "opaque handle ",
                             "bfloat",
                             "complex",
                             "bool",
                             "float8_e3m4",
                             "float8_e4m3",
                             "float8_e4m3b11fnuz",
                             "float8_e4m3fn",
                             "float8_e4m3fnuz",
                             "float8_e5m2",
                             "float8_e5m2fnuz",
                             "float8_e8m0fnu",
                             "float6_e2m3fn",
                             "float6_e3m2fn",
                             "float4_e2m1fn"};
  const auto number = static_cast<std::size_t>(code);
  return number < names.size() ? names[number] : "DLPack's type code " + std::to_string(number);
}

std::string text_of(DataType dtype) {
  std::string text = name_of_code(dtype.code);
  if (dtype.code < TypeCode::float8_e3m4) text += std::to_string(dtype.bits);
  if (dtype.lanes != 1) text = "vectors of " + std::to_string(dtype.lanes) + " " + text;
  return text;
}

std::optional<DType> scalar_type_of(DataType dtype) {
  const auto of_bits = [&](DType bits8, DType bits16, DType bits32, DType bits64) -> std::optional<DType> {
    switch (dtype.bits) {
      case 8:
        return bits8;
      case 16:
        return bits16;
      case 32:
        return bits32;
      case 64:
        return bits64;
      default:
        return std::nullopt;
    }
  };
  switch (dtype.code) {
    case TypeCode::integer:
      return of_bits(DType::int8, DType::int16, DType::int32, DType::int64);
    case TypeCode::unsigned_integer:
      return of_bits(DType::uint8, DType::uint16, DType::uint32, DType::uint64);
    case TypeCode::floating:
      if (dtype.bits == 8) return std::nullopt;
      return of_bits({}, DType::float16, DType::float32, DType::float64);
    case TypeCode::bfloat:
      if (dtype.bits == 16) return DType::bfloat16;
      return std::nullopt;
    case TypeCode::boolean:
      if (dtype.bits == 8) return DType::boolean;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

DType dtype_of(DataType dtype, std::string_view name) {
  const auto known = dtype.lanes == 1 ? scalar_type_of(dtype) : std::nullopt;
  if (!known) throw_bad_dtype(name, text_of(dtype));
  return *known;
}

void check_device(std::int64_t device, std::int64_t id, std::string_view name, CudaArrays cuda) {
  using dlpack::DeviceType;
  if (device == static_cast<std::int64_t>(DeviceType::cuda)) {
    if (cuda == CudaArrays::refused) throw_on_cuda(name, "cuda:" + std::to_string(id));
    return;
  }
  for (const DeviceType readable :
       {DeviceType::cpu, DeviceType::cuda_host, DeviceType::rocm_host, DeviceType::cuda_managed}) {
    if (device == static_cast<std::int64_t>(readable)) return;
  }
  throw py::type_error(std::string(name) + " must be in host memory" +
                       (cuda == CudaArrays::refused ? "" : " or on a CUDA device") +
                       ", got an array on a device of DLPack's type " + std::to_string(device));
}

/// Strides are multiplied without a sign: those of dimensions of one element may be anything.
std::ptrdiff_t bytes_of(std::int64_t elements, std::size_t size) {
  return static_cast<std::ptrdiff_t>(static_cast<std::uint64_t>(elements) * size);
}

View view_of_tensor(const Tensor& tensor, py::object owner, std::string_view name, CudaArrays cuda) {
  check_device(static_cast<std::int64_t>(tensor.device.type), tensor.device.id, name, cuda);
  check_dimensions(name, tensor.ndim);
  View view{.data = static_cast<const std::byte*>(tensor.data),
            .dtype = dtype_of(tensor.dtype, name),
            .ndim = tensor.ndim,
            .device = static_cast<std::int32_t>(tensor.device.type),
            .device_id = tensor.device.id,
            .stream = 0,
            .owner = std::move(owner)};
  const std::size_t size = size_of(view.dtype);
  std::int64_t packed = 1;
  for (auto axis = static_cast<std::size_t>(tensor.ndim); axis-- > 0;) {
    view.shape[axis] = tensor.shape[axis];
    view.strides[axis] = bytes_of(tensor.strides == nullptr ? packed : tensor.strides[axis], size);
    packed = static_cast<std::int64_t>(static_cast<std::uint64_t>(packed) *
                                       static_cast<std::uint64_t>(tensor.shape[axis]));
    if (tensor.shape[axis] < 0) {
      throw py::type_error(std::string(name) + " must have lengths of at least 0, got " +
                           std::to_string(tensor.shape[axis]));
    }
  }
  check_bytes(name, view);
  if (tensor.data != nullptr) view.data += tensor.byte_offset;
  return view;
}

/// Wrappers of other arrays, and tensors whose memory was freed, hand over no address.
void check_memory(const View& view, const py::object& value, std::string_view name) {
  const auto lengths_end = view.shape.begin() + view.ndim;
  if (view.data != nullptr || std::find(view.shape.begin(), lengths_end, 0) != lengths_end) return;
  throw py::type_error(std::string(name) + " must be an array with memory of its own, got " +
                       kind_of_tensor(value));
}

/// An object that calls the producer's deleter, once, when the last view of the memory is gone.
template <class Managed>
py::object owner_of(Managed* managed) {
  return py::capsule(managed, [](void* pointer) {
    auto* const tensor = static_cast<Managed*>(pointer);
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  });
}

void check_version(const ManagedTensorVersioned& managed, std::string_view name) {
  if (managed.version.major == dlpack::version.major) return;
  throw py::type_error(std::string(name) + " must come through DLPack 1, got version " +
                       std::to_string(managed.version.major) + "." + std::to_string(managed.version.minor));
}

void check_version(const ManagedTensor&, std::string_view) {}

template <class Managed>
View view_of_managed(Managed* managed, py::object owner, std::string_view name, CudaArrays cuda) {
  check_version(*managed, name);
  return view_of_tensor(managed->tensor, std::move(owner), name, cuda);
}

/// The capsule's tensor becomes ours when the capsule gets its new name; from then on we owe the deleter a
/// call.
template <class Managed>
View consume(const py::object& capsule, const char* capsule_name, const char* used_name,
             std::string_view name, CudaArrays cuda) {
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), capsule_name));
  if (managed == nullptr || PyCapsule_SetName(capsule.ptr(), used_name) != 0) throw py::error_already_set();
  return view_of_managed(managed, owner_of(managed), name, cuda);
}

View view_of_capsule(const py::object& capsule, std::string_view name, CudaArrays cuda) {
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") != 0) {
    return consume<ManagedTensorVersioned>(capsule, "dltensor_versioned", "used_dltensor_versioned", name,
                                           cuda);
  }
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor") != 0) {
    return consume<ManagedTensor>(capsule, "dltensor", "used_dltensor", name, cuda);
  }
  const py::object answer = PyCapsule_CheckExact(capsule.ptr()) != 0 ? capsule : py::type::of(capsule);
  throw py::type_error(std::string(name) + " must be an array that DLPack can hand over, got " +
                       std::string(py::repr(answer)) + " from its __dlpack__");
}

/// Producers from before version 1 do not know the keyword `max_version`; all know `stream`, which is for
/// devices.
py::object capsule_of(const py::object& value, std::optional<std::uintptr_t> stream) {
  const py::object produce = value.attr("__dlpack__");
  py::dict options;
  if (stream) options["stream"] = stream_number(*stream);
  try {
    return produce(py::arg("max_version") = py::make_tuple(dlpack::version.major, dlpack::version.minor),
                   **options);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError)) throw;
  }
  return produce(**options);
}

std::optional<std::int32_t> int32_of(const py::int_& number) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (overflow != 0 || value != static_cast<std::int32_t>(value)) return std::nullopt;
  return static_cast<std::int32_t>(value);
}

/// What a producer says of where its array is; without a word of it, host memory.
dlpack::Device device_of(const py::object& value, std::string_view name, CudaArrays cuda) {
  if (!py::hasattr(value, "__dlpack_device__")) return {.type = dlpack::DeviceType::cpu, .id = 0};
  const py::tuple device(value.attr("__dlpack_device__")());
  const auto type = int32_of(py::int_(device[0]));
  const auto id = device.size() > 1 ? int32_of(py::int_(device[1])) : 0;
  const bool on_cuda = type == static_cast<std::int32_t>(dlpack::DeviceType::cuda);
  if (!type || !id || (on_cuda && *id < 0)) {
    throw py::type_error(std::string(name) + " must say by __dlpack_device__ the type and the number of a " +
                         "device, got " + std::string(py::repr(device)));
  }
  check_device(*type, *id, name, cuda);
  return {.type = static_cast<dlpack::DeviceType>(*type), .id = *id};
}

View view_through_capsule(const py::object& value, std::string_view name, CudaArrays cuda) {
  dlpack::Device device{};
  try {
    device = device_of(value, name, cuda);
  } catch (py::error_already_set& error) {
    throw_not_handed_over(error, name, "");
  }
  std::optional<std::uintptr_t> stream;
  if (device.type == dlpack::DeviceType::cuda) stream = stream_for(value, device.id, name);
  py::object capsule;
  try {
    capsule = capsule_of(value, stream);
  } catch (py::error_already_set& error) {
    throw_not_handed_over(error, name, "");
  }
  View view = view_of_capsule(capsule, name, cuda);
  // A producer that did not say beforehand where its array is has not been told the stream either.
  if (view.on_cuda()) view.stream = stream ? *stream : 0;
  check_memory(view, value, name);
  return view;
}

/// The table of a type, of a version that we speak; null without one.
const ExchangeApi* exchange_api_of(PyTypeObject* type) {
  static PyObject* const attribute = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  const auto capsule =
      py::reinterpret_steal<py::object>(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), attribute));
  if (!capsule) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    return nullptr;
  }
  if (PyCapsule_IsValid(capsule.ptr(), api_capsule) == 0) return nullptr;
  auto* header = static_cast<dlpack::ExchangeApiHeader*>(PyCapsule_GetPointer(capsule.ptr(), api_capsule));
  while (header != nullptr && header->version.major != dlpack::version.major) header = header->previous;
  return reinterpret_cast<const ExchangeApi*>(header);
}

View view_of_tensor_object(const ExchangeApi& api, const py::object& value, std::string_view name,
                           CudaArrays cuda) {
  if (api.tensor_from_object != nullptr) {
    Tensor tensor;
    if (api.tensor_from_object(value.ptr(), &tensor) != 0) throw py::error_already_set();
    return view_of_tensor(tensor, value, name, cuda);
  }
  ManagedTensorVersioned* managed = nullptr;
  if (api.managed_tensor_from_object(value.ptr(), &managed) != 0) throw py::error_already_set();
  return view_of_managed(managed, owner_of(managed), name, cuda);
}

std::uintptr_t work_stream_of(const ExchangeApi& api, const View& view) {
  void* stream = nullptr;
  if (api.current_work_stream != nullptr &&
      api.current_work_stream(dlpack::DeviceType::cuda, view.device_id, &stream) != 0) {
    throw py::error_already_set();
  }
  return reinterpret_cast<std::uintptr_t>(stream);
}

View view_through_api(const ExchangeApi& api, const py::object& value, std::string_view name,
                      CudaArrays cuda) {
  try {
    View view = view_of_tensor_object(api, with_sign_in_memory(value), name, cuda);
    check_torch_dtype(value, view, name);
    check_memory(view, value, name);
    if (view.on_cuda()) view.stream = work_stream_of(api, view);
    return view;
  } catch (py::error_already_set& error) {
    throw_not_handed_over(error, name, kind_of_tensor(value) + ": ");
  }
}

}  // namespace

std::optional<View> view_through_dlpack(const py::object& value, std::string_view name, CudaArrays cuda) {
  const ExchangeApi* const api = exchange_api_of(Py_TYPE(value.ptr()));
  if (api != nullptr) return view_through_api(*api, value, name, cuda);
  if (py::hasattr(value, "__dlpack__")) return view_through_capsule(value, name, cuda);
  return std::nullopt;
}

}  // namespace percepts::bindings

#include "dlpack_export.hpp"

#include <pybind11/stl.h>

#include "../cuda_arrays.hpp"

namespace percepts::bindings::devices {
namespace {

using dlpack::ManagedTensor;
using dlpack::ManagedTensorVersioned;
using dlpack::TypeCode;

TypeCode code_of(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return TypeCode::boolean;
    case DType::bfloat16:
      return TypeCode::bfloat;
    case DType::float16:
    case DType::float32:
    case DType::float64:
      return TypeCode::floating;
    case DType::uint8:
    case DType::uint16:
    case DType::uint32:
    case DType::uint64:
      return TypeCode::unsigned_integer;
    default:
      return TypeCode::integer;
  }
}

/// A tensor for a consumer, with all that it points to.
template <class Managed>
struct Exported {
  Managed managed{};
  DeviceArray array;
  std::vector<std::int64_t> strides;  ///< in elements

  explicit Exported(const DeviceArray& given) : array(given) {
    const auto size = static_cast<std::ptrdiff_t>(size_of(array.dtype));
    for (const std::ptrdiff_t stride : array.strides) strides.push_back(stride / size);
    managed.context = this;
    managed.deleter = [](Managed* tensor) { delete static_cast<Exported*>(tensor->context); };
    managed.tensor = {.data = array.data,
                      .device = {.type = dlpack::DeviceType::cuda, .id = array.device},
                      .ndim = static_cast<std::int32_t>(array.shape.size()),
                      .dtype = {.code = code_of(array.dtype),
                                .bits = static_cast<std::uint8_t>(8 * size_of(array.dtype)),
                                .lanes = 1},
                      .shape = array.shape.data(),
                      .strides = strides.data(),
                      .byte_offset = 0};
  }
};

template <class Managed>
constexpr const char* capsule_name = "dltensor";
template <>
constexpr const char* capsule_name<ManagedTensorVersioned> = "dltensor_versioned";

template <class Managed>
py::capsule capsule_of(const DeviceArray& array) {
  auto exported = std::make_unique<Exported<Managed>>(array);
  if constexpr (std::is_same_v<Managed, ManagedTensorVersioned>) exported->managed.version = dlpack::version;
  // A consumer renames the capsule when it takes the tensor over, and then owes the deleter a call.
  const auto destroy = [](PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, capsule_name<Managed>) == 0) return;
    auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, capsule_name<Managed>));
    managed->deleter(managed);
  };
  PyObject* const capsule = PyCapsule_New(&exported->managed, capsule_name<Managed>, destroy);
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(exported.release());
  return py::reinterpret_steal<py::capsule>(capsule);
}

void make_ready(const DeviceArray& array, std::optional<std::int64_t> number) {
  constexpr std::int64_t no_order = -1;
  if (number == no_order) return;
  if (number && *number <= 0) {
    throw py::value_error("stream must be a stream's number, 1 or 2 for CUDA's default streams, or -1, got " +
                          std::to_string(*number));
  }
  const auto consumer =
      reinterpret_cast<Stream>(number ? static_cast<std::uintptr_t>(*number) : std::uintptr_t{1});
  if (array.memory != nullptr) array.memory->add_stream(consumer);
  if (!array.stream) return;
  const auto ready_on = stream_number(reinterpret_cast<std::uintptr_t>(*array.stream));
  if (ready_on != reinterpret_cast<std::uintptr_t>(consumer))
    put_in_order(array.device, *array.stream, consumer);
}

}  // namespace

py::capsule dlpack_capsule_of(const DeviceArray& array, std::optional<std::int64_t> stream,
                              std::optional<std::pair<std::int64_t, std::int64_t>> max_version,
                              const py::object& device, std::optional<bool> copy) {
  const py::tuple own = py::make_tuple(static_cast<int>(dlpack::DeviceType::cuda), array.device);
  if (!device.is_none() && !py::tuple(device).equal(own)) {
    throw py::buffer_error("the array is on cuda:" + std::to_string(array.device) +
                           " and is not copied elsewhere");
  }
  if (copy == true) throw py::buffer_error("the array is not copied");
  make_ready(array, stream);
  if (max_version && max_version->first >= dlpack::version.major)
    return capsule_of<ManagedTensorVersioned>(array);
  return capsule_of<ManagedTensor>(array);
}

}  // namespace percepts::bindings::devices

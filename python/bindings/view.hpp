#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dlpack_abi.hpp"
#include "percepts/dtype.hpp"

namespace percepts::bindings {

namespace py = pybind11;

/// The most dimensions that an array may have, those of a batch of grids included.
inline constexpr int most_dimensions = 8;

/// An array of any library, where it is: elements of a dtype that the core knows, in native byte order, in
/// memory of the host or of a CUDA device. Strides are in bytes and may be negative or zero; elements need
/// not be aligned. The memory stays for as long as `owner` does.
struct View {
  const std::byte* data = nullptr;
  DType dtype = DType::float32;
  int ndim = 0;
  std::array<std::int64_t, most_dimensions> shape{};  ///< 0 behind the last dimension
  std::array<std::ptrdiff_t, most_dimensions> strides{};
  std::int32_t device = 0;     ///< DLPack's number of the kind of memory
  std::int32_t device_id = 0;  ///< of a CUDA device
  std::uintptr_t stream = 0;   ///< of a CUDA device: where the memory is ready; work on it goes there
  py::object owner;

  bool on_cuda() const { return device == static_cast<std::int32_t>(dlpack::DeviceType::cuda); }
};

/// What happens to arrays on a CUDA device.
enum class CudaArrays : std::uint8_t {
  refused,  ///< a TypeError
  viewed,
};

/// View a NumPy array, an array that DLPack hands over or, among those on a CUDA device, one that has
/// `__cuda_array_interface__`; None for any other object. Errors call the array `name`.
py::object view_of(const py::object& value, std::string_view name, CudaArrays cuda);

/// The same wherever the array is, without a Python object around it, of one that brings no mask along;
/// nothing for any other object.
std::optional<View> plain_view_of(const py::object& value, std::string_view name);

/// Where a view's memory is: "cpu", "cuda:0", …
std::string device_name(const View& view);

/// The part of a view at `index` along `axis`, which counts from 0.
View part_of(const View& view, int axis, std::int64_t index);

/// Throws the TypeError for elements that the core does not know.
[[noreturn]] void throw_bad_dtype(std::string_view name, const std::string& dtype);

/// Throws ValueError unless a view can have so many dimensions.
void check_dimensions(std::string_view name, std::int64_t count);

/// Throws ValueError where the bytes of all elements, each counted wherever strides put it, are too many to
/// count: whoever works with a view multiplies its lengths. They are at least 0.
void check_bytes(std::string_view name, const View& view);

}  // namespace percepts::bindings

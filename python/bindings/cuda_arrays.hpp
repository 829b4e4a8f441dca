#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "view.hpp"

namespace percepts::bindings {

/// Throws the TypeError for an array on a CUDA device where one in host memory is needed.
[[noreturn]] void throw_on_cuda(std::string_view name, const std::string& device);

/// The stream that work on an array of this device goes to, which its library is told.
std::uintptr_t stream_for(const py::object& value, std::int32_t device_id, std::string_view name);

/// A stream as DLPack and the CUDA array interface number it: null is 1, the legacy default stream.
constexpr std::uintptr_t stream_number(std::uintptr_t stream) { return stream == 0 ? 1 : stream; }

/// View an array by its `__cuda_array_interface__` (version 2 or 3); nothing for an object without one.
std::optional<View> view_through_cuda_interface(const py::object& value, std::string_view name,
                                                CudaArrays cuda);

}  // namespace percepts::bindings

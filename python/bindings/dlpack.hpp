#pragma once

#include <optional>
#include <string_view>

#include "view.hpp"

namespace percepts::bindings {

/// View an array that DLPack hands over: by the C exchange API of its type, else by a capsule of its
/// `__dlpack__`. Nothing for an object that speaks neither. What DLPack cannot hand over, memory that neither
/// host nor CUDA can read and elements that the core does not know are a TypeError.
std::optional<View> view_through_dlpack(const py::object& value, std::string_view name, CudaArrays cuda);

}  // namespace percepts::bindings

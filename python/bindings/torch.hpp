#pragma once

#include <string>

#include "view.hpp"

namespace percepts::bindings {

/// The tensor whose memory holds the numbers that `value` stands for: `value` itself, but for torch's
/// negative views, which DLPack hands over without their sign, a copy.
py::object with_sign_in_memory(const py::object& value);

/// Throws a TypeError for a torch tensor of elements narrower than a byte, which DLPack calls bytes.
void check_torch_dtype(const py::object& value, const View& view, std::string_view name);

/// What a tensor is whose memory cannot be read, such as "a tensor of layout torch.sparse_coo".
std::string kind_of_tensor(const py::object& value);

}  // namespace percepts::bindings

#pragma once

#include <vector>

#include "../view.hpp"
#include "percepts/cuda.hpp"
#include "runtime.hpp"

namespace percepts::bindings::devices {

/// Maps as python/percepts/_arrays.py has prepared them: a view of H×W or B×H×W on a device, a boolean view
/// of pixels to use (also H×W for a batch) or None, and the sentinels packed as elements of the maps' dtype,
/// as bytes or None. They are good for as long as the three live.
cuda::Maps maps_of(const View& data, const py::object& mask, const py::object& sentinels);

/// Lets work on the map's stream wait for the mask's.
void wait_for_mask(const View& data, const py::object& mask);

/// The objects that hold the memory of a map and its mask.
std::vector<py::object> owners_of(const View& data, const py::object& mask);

inline Stream stream_of(const View& view) { return reinterpret_cast<Stream>(view.stream); }

}  // namespace percepts::bindings::devices

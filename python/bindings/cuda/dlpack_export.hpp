#pragma once

#include <optional>
#include <utility>

#include "device_array.hpp"

namespace percepts::bindings::devices {

/// What `__dlpack__` of an array of ours returns. Work on the consumer's stream then waits until the array is
/// ready; as the protocol has it, None is the legacy default stream and -1 asks for no order.
py::capsule dlpack_capsule_of(const DeviceArray& array, std::optional<std::int64_t> stream,
                              std::optional<std::pair<std::int64_t, std::int64_t>> max_version,
                              const py::object& device, std::optional<bool> copy);

}  // namespace percepts::bindings::devices

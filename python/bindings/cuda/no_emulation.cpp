#include "module.hpp"

namespace percepts::bindings::devices {

void bind_emulation(pybind11::module_&) {}

}  // namespace percepts::bindings::devices

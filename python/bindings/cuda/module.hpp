#pragma once

#include <pybind11/pybind11.h>

namespace percepts::bindings::devices {

// One function a file of bindings.
void bind_device_array(pybind11::module_& module);
void bind_kernels(pybind11::module_& module);
void bind_late_programs(pybind11::module_& module);
void bind_plans(pybind11::module_& module);
void bind_testing(pybind11::module_& module);

/// What only the emulation has; nothing in the module that serves CUDA.
void bind_emulation(pybind11::module_& module);

}  // namespace percepts::bindings::devices

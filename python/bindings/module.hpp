#pragma once

#include <pybind11/pybind11.h>

namespace percepts::bindings {

// One function a file of bindings.
void bind_albedo(pybind11::module_& module);
void bind_detection(pybind11::module_& module);
void bind_fast_calls(pybind11::module_& module);
void bind_jigsaw(pybind11::module_& module);
void bind_kernels(pybind11::module_& module);
void bind_plans(pybind11::module_& module);
void bind_points(pybind11::module_& module);
void bind_programs(pybind11::module_& module);
void bind_segmentation(pybind11::module_& module);
void bind_semantic(pybind11::module_& module);
void bind_similarity(pybind11::module_& module);
void bind_view(pybind11::module_& module);

}  // namespace percepts::bindings

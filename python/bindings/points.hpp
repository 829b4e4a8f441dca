#pragma once

#include <pybind11/numpy.h>

#include <span>
#include <string_view>

#include "percepts/point.hpp"

namespace percepts::bindings {

namespace py = pybind11;

/// Points as python/percepts/_points.py has prepared them: float64, N×2, dense.
using PointArray = py::array_t<double, py::array::c_style>;

/// The points of such an array, for as long as it lives.
std::span<const Point> points_of(const PointArray& array);

}  // namespace percepts::bindings

#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <vector>

#include "percepts/field.hpp"

namespace percepts::bindings {

namespace py = pybind11;

/// A view of a NumPy array that python/percepts/_arrays.py has prepared: two-dimensional, of native byte
/// order and a dtype that the core knows. Mask and sentinels may be None; sentinels are a packed array of the
/// same dtype. The view is good for as long as the arrays live.
Field field_of(const py::array& array, const py::object& mask, const py::object& sentinels);

/// A new NumPy array of this shape with these values.
template <class T, class U>
py::array_t<T> array_of(const std::vector<U>& values, std::vector<py::ssize_t> shape) {
  py::array_t<T> array(std::move(shape));
  T* out = array.mutable_data();
  for (const U value : values) *out++ = static_cast<T>(value);
  return array;
}

}  // namespace percepts::bindings

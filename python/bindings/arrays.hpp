#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

#include "percepts/field.hpp"
#include "view.hpp"

namespace percepts::bindings {

/// A map as python/percepts/_arrays.py has prepared it: a two-dimensional view, a boolean view of the same
/// shape or None, and the sentinels packed as elements of the map's dtype, as bytes or None. The field is
/// good for as long as the three live.
Field field_of(const View& map, const py::object& mask, const py::object& sentinels);

/// A new NumPy array of this shape with these values.
template <class T, class U>
py::array_t<T> array_of(const std::vector<U>& values, std::vector<py::ssize_t> shape) {
  py::array_t<T> array(std::move(shape));
  T* out = array.mutable_data();
  for (const U value : values) *out++ = static_cast<T>(value);
  return array;
}

}  // namespace percepts::bindings

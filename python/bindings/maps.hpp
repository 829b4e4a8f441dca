#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "percepts/field.hpp"

namespace percepts::bindings {

namespace py = pybind11;

/// The maps of a batch, each (map, mask, sentinels) as field_of() takes them.
std::vector<Field> fields_of(const py::sequence& prepared);

/// Lets Python see signals while threads work without it.
void poll_python();

}  // namespace percepts::bindings

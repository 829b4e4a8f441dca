#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

#include "percepts/program.hpp"

namespace percepts::bindings {

namespace py = pybind11;

/// A printed scalar as a plain Python value.
py::object plain_scalar(const Scalar& scalar);

/// All items, as a tuple of `item_type`: percepts.Item.
py::tuple items_of(const Program& program, const py::type& item_type);

/// One item, as an `item_type`.
py::object item_of(const Program& program, std::size_t index, const py::type& item_type);

/// All items, as a list of dicts without the fields that an item does not have.
py::list dicts_of(const Program& program);

}  // namespace percepts::bindings

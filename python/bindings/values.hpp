#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "percepts/program.hpp"

namespace percepts::bindings {

namespace py = pybind11;

/// A Python string as UTF-8. Halves of surrogate pairs are joined, a lone one becomes U+FFFD.
std::string utf8_of(const py::handle& text);

/// A plain Python scalar, as printed. Raises TypeError or ValueError naming `where`.
Scalar scalar_of(const py::handle& value, const std::string& where);

/// A plain Python value, as printed; None is absent.
std::optional<Value> value_of(const py::handle& value, const std::string& where);

/// The same for a reading: what is not finite is unknown, and a list without anything finite is unknown as a
/// whole.
std::optional<Value> reading_of(const py::handle& value, const std::string& where);

}  // namespace percepts::bindings

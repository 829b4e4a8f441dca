#pragma once

#include <pybind11/pybind11.h>

#include <string_view>

namespace percepts::bindings {

/// A program's text, or any other UTF-8, as a Python string.
pybind11::str str_of(std::string_view utf8);

}  // namespace percepts::bindings

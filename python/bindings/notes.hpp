#pragma once

#include <pybind11/pybind11.h>

#include "percepts/note.hpp"

namespace percepts::bindings {

/// The note that a caller wants: `...` is the built-in one, None is none.
Note note_of(const pybind11::object& note);

}  // namespace percepts::bindings

#pragma once

#include <pybind11/pybind11.h>

#include "percepts/note.hpp"
#include "values.hpp"

namespace percepts::bindings {

/// The argument `note`: `...` is the built-in one, None none.
inline Note note_of(const py::object& note) {
  if (note.is(py::ellipsis())) return BuiltInNote{};
  if (note.is_none()) return NoNote{};
  return utf8_of(note);
}

}  // namespace percepts::bindings

#include "notes.hpp"

#include "values.hpp"

namespace percepts::bindings {

Note note_of(const py::object& note) {
  if (note.is(py::ellipsis())) return BuiltInNote{};
  if (note.is_none()) return NoNote{};
  return utf8_of(note);
}

}  // namespace percepts::bindings

#include "maps.hpp"

#include "arrays.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {

std::vector<Field> fields_of(const py::sequence& prepared) {
  std::vector<Field> fields;
  for (const py::handle& item : prepared) {
    const auto parts = item.cast<py::tuple>();
    fields.push_back(field_of(parts[0].cast<const View&>(), parts[1], parts[2]));
  }
  return fields;
}

void poll_python() {
  const WithGil acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace percepts::bindings

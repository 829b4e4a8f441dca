#include "percepts/similarity.hpp"

#include <pybind11/stl.h>

#include "maps.hpp"
#include "module.hpp"
#include "notes.hpp"
#include "values.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

Program similarity_of(const std::vector<py::str>& names, const py::sequence& prepared,
                      const py::object& note) {
  const std::vector<Field> fields = fields_of(prepared);
  std::vector<NamedMap> maps;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    maps.push_back({.name = utf8_of(names.at(k)), .map = fields[k]});
  }
  const SimilarityOptions options{.note = note_of(note)};
  const WithoutGil release;
  return similarity(maps, options);
}

}  // namespace

void bind_similarity(py::module_& module) { module.def("similarity", &similarity_of); }

}  // namespace percepts::bindings

#include "percepts/albedo.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "maps.hpp"
#include "module.hpp"
#include "notes.hpp"
#include "percepts/batch.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

AlbedoOptions albedo_options(std::int32_t rows, std::int32_t cols, double tau, bool labelled, bool relations,
                             const py::object& note) {
  AlbedoOptions options{
      .grid = {rows, cols}, .tau = tau, .labelled = labelled, .relations = relations, .note = note_of(note)};
  check(options);
  return options;
}

Program albedo_of(const View& array, const py::object& mask, const py::object& sentinels,
                  const AlbedoOptions& options) {
  const Field field = field_of(array, mask, sentinels);
  const WithoutGil release;
  return albedo(field, options);
}

std::vector<Program> albedos_of(const py::sequence& prepared, const AlbedoOptions& options,
                                std::size_t threads) {
  const std::vector<Field> fields = fields_of(prepared);
  const WithoutGil release;
  return albedo(fields, options, {threads, &poll_python});
}

}  // namespace

void bind_albedo(py::module_& module) {
  py::class_<AlbedoOptions>(module, "AlbedoOptions").def(py::init(&albedo_options));
  module.def("albedo", &albedo_of);
  module.def("albedo_batch", &albedos_of);
}

}  // namespace percepts::bindings

#include "module.hpp"

#include <pybind11/numpy.h>

#include <string>

#include "bare_instances.hpp"
#include "percepts/version.hpp"

// pybind11's entry point gets another name, since it would wait forever for the interpreter lock in an
// interpreter that is not the process's main one; the module's own, below, asks first.
#define PyInit__core init_in_main_interpreter

PYBIND11_MODULE(_core, module) {
  module.doc() =
      "The compiled core of percepts. Private: arguments are checked and prepared by the Python layer.";
  module.attr("__version__") = std::string(percepts::version);
  percepts::bindings::bind_view(module);
  percepts::bindings::bind_fast_calls(module);
  percepts::bindings::bind_kernels(module);
  percepts::bindings::bind_semantic(module);
  percepts::bindings::bind_programs(module);
  percepts::bindings::bind_plans(module);
  percepts::bindings::bind_segmentation(module);
  percepts::bindings::bind_albedo(module);
  percepts::bindings::bind_similarity(module);
  percepts::bindings::bind_detection(module);
  percepts::bindings::bind_jigsaw(module);
  percepts::bindings::bind_points(module);
  percepts::bindings::refuse_bare_instances(module);
  // Looks NumPy's C interface up now: at the end of a process, where __del__ may be the first to need it,
  // nothing can be imported any more.
  pybind11::dtype::of<double>();
}

#undef PyInit__core

extern "C" PYBIND11_EXPORT PyObject* PyInit__core();

PyObject* PyInit__core() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "percepts works in the main interpreter of a process only");
    return nullptr;
  }
  return init_in_main_interpreter();
}

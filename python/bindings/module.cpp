#include "module.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() =
      "The compiled core of percepts. Private: arguments are checked and prepared by the Python layer.";
  module.attr("__version__") = PERCEPTS_VERSION;
  percepts::bindings::bind_view(module);
  percepts::bindings::bind_kernels(module);
  percepts::bindings::bind_programs(module);
}

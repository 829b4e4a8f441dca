#include "module.hpp"

#include <string>

#include "percepts/version.hpp"

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
}

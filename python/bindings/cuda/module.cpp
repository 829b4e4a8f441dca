#include "module.hpp"

#include <pybind11/stl.h>

#include "../bare_instances.hpp"
#include "percepts/cuda.hpp"
#include "percepts/error.hpp"

namespace percepts::bindings::devices {
namespace {

namespace py = pybind11;

void raise_device_error(const DeviceError& error) {
  const py::object type = py::module_::import("percepts._device_error").attr("DeviceError");
  PyErr_SetObject(type.ptr(), type(error.what(), error.name()).ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const DeviceError& error) {
    raise_device_error(error);
  }
}

py::list devices_here() {
  py::list list;
  for (const cuda::Device& device : cuda::devices()) {
    list.append(py::make_tuple(device.name, device.major, device.minor));
  }
  return list;
}

void bind_all(py::module_& module) {
  py::module_::import("percepts._core");  // its types come and go here
  py::register_local_exception_translator(&translate);
  module.def("why_unavailable", &cuda::why_unavailable);
  module.def("devices", &devices_here);
  module.def("architectures", &cuda::architectures);
  bind_device_array(module);
  bind_kernels(module);
  bind_late_programs(module);
  bind_plans(module);
  bind_testing(module);
  bind_emulation(module);
  refuse_bare_instances(module);
}

}  // namespace
}  // namespace percepts::bindings::devices

// Compiled for CUDA (or its stub), and for its emulation.
PYBIND11_MODULE(PERCEPTS_CUDA_MODULE, module) {
  module.doc() = "Maps in the memory of CUDA devices. Private, as percepts._core is.";
  percepts::bindings::devices::bind_all(module);
}

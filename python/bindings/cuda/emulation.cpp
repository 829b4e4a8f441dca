#include <cuda_runtime.h>

#include <string_view>

#include "emulation/control.hpp"
#include "module.hpp"
#include "percepts/error.hpp"
#include "runtime/fault.hpp"

namespace percepts::bindings::devices {
namespace {

namespace emulation = cuda::emulation;
namespace py = pybind11;

py::tuple counters() {
  const emulation::Counters now = emulation::counters();
  return py::make_tuple(now.launches, now.allocations, now.synchronizations);
}

void fail_call(std::string_view function, int error, unsigned calls_before) {
  emulation::fail_call(function, static_cast<cudaError_t>(error), calls_before);
}

void fail_work(std::uintptr_t stream, int error) {
  const auto at = reinterpret_cast<cudaStream_t>(stream);
  cuda::check(emulation::fail_work(at, static_cast<cudaError_t>(error)), {"planting a fault", 0});
}

}  // namespace

void bind_emulation(py::module_& module) {
  module.def("counters", &counters);
  module.def("fail_call", &fail_call, py::arg(), py::arg(), py::arg("calls_before") = 0U);
  module.def("fail_work", &fail_work);
  module.def("leave_error", [](int error) { emulation::leave_error(static_cast<cudaError_t>(error)); });
  module.def("forget_errors", &emulation::forget_errors);
  module.def("set_device_count", &emulation::set_device_count);
  module.def("run_on_os_threads", &emulation::run_on_os_threads);
}

}  // namespace percepts::bindings::devices

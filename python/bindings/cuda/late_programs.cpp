#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "../without_gil.hpp"
#include "keeping.hpp"
#include "maps.hpp"
#include "module.hpp"
#include "percepts/error.hpp"

// Programs of which only the work has begun: `read` waits for it.

namespace percepts::bindings::devices {
namespace {

constexpr const char* refusal =
    "cannot be captured in a graph: it makes a program of its own each time; a plan of percepts.plan can be";

/// The maps of one call, and the plan that reads them.
template <class Plan>
class Call final : public Work {
 public:
  template <class Options>
  Call(const cuda::Maps& maps, const Options& options, Stream stream)
      : plan_({.device = maps.device, .dtype = maps.dtype, .extent = maps.extent, .count = maps.count},
              options),
        count_(maps.count) {
    plan_.run(maps, stream);
  }

  void keep_alive(std::vector<py::object> owners) { owners_ = std::move(owners); }

  bool is_done() override { return plan_.is_done(); }
  void wait() override { plan_.wait(); }

  /// In a batch an error says which map it is about.
  std::vector<Program> programs(bool batched) {
    plan_.wait();
    std::vector<Program> programs;
    for (std::int64_t map = 0; map < count_; ++map) {
      try {
        programs.push_back(plan_.program(map));
      } catch (const InvalidArgument& error) {
        if (!batched) throw;
        throw InvalidArgument("map " + std::to_string(map) + " of the batch: " + error.what());
      }
    }
    return programs;
  }

 private:
  Plan plan_;
  std::int64_t count_;
  std::vector<py::object> owners_;
};

template <class Plan>
class LatePrograms {
 public:
  LatePrograms(std::unique_ptr<Call<Plan>> call, bool batched) : call_(std::move(call)), batched_(batched) {}
  LatePrograms(LatePrograms&&) noexcept = default;
  LatePrograms& operator=(LatePrograms&&) noexcept = default;

  /// Dropped unread: what the work reads has to stay until it is done.
  ~LatePrograms() {
    if (call_ != nullptr) keep(std::move(call_));
  }

  /// To be called once.
  std::vector<Program> read() {
    if (call_ == nullptr) throw py::value_error("programs are read once");
    const std::unique_ptr<Call<Plan>> call = std::move(call_);
    const WithoutGil release;  // held again when the call and its objects are dropped
    return call->programs(batched_);
  }

 private:
  std::unique_ptr<Call<Plan>> call_;
  bool batched_;
};

template <class Plan, class Options>
LatePrograms<Plan> launched(const View& data, const py::object& mask, const py::object& sentinels,
                            const Options& options, bool batched) {
  let_go();
  if (is_capturing(data.device_id, stream_of(data))) {
    throw DeviceError("cudaErrorStreamCaptureUnsupported",
                      std::string("cudaErrorStreamCaptureUnsupported: this call ") + refusal);
  }
  const cuda::Maps maps = maps_of(data, mask, sentinels);
  std::unique_ptr<Call<Plan>> call;
  {
    const WithoutGil release;
    call = std::make_unique<Call<Plan>>(maps, options, stream_of(data));
  }
  call->keep_alive(owners_of(data, mask));
  return {std::move(call), batched};
}

template <class Plan>
void bind_late(py::module_& module, const char* name) {
  py::class_<LatePrograms<Plan>>(module, name, py::module_local()).def("read", &LatePrograms<Plan>::read);
}

}  // namespace

void bind_late_programs(py::module_& module) {
  bind_late<cuda::DepthPlan>(module, "LateDepth");
  bind_late<cuda::FlowPlan>(module, "LateFlow");
  module.def("depth", &launched<cuda::DepthPlan, DepthOptions>);
  module.def("flow", &launched<cuda::FlowPlan, FlowOptions>);
  module.def("let_go", &let_go);
  module.def("finish", &finish);
}

}  // namespace percepts::bindings::devices

#include <pybind11/stl.h>

#include <exception>
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
class Call {
 public:
  template <class Options>
  Call(const cuda::Maps& maps, const Options& options, Stream stream)
      : plan_({.device = maps.device, .dtype = maps.dtype, .extent = maps.extent, .count = maps.count},
              options),
        count_(maps.count) {
    plan_.run(maps, stream);
  }

  bool is_done() { return plan_.is_done(); }
  void wait() { plan_.wait(); }

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
};

/// What a call reads. It lives until the call is done, whether its programs are read or dropped or neither.
template <class Plan>
class Inputs final : public Work {
 public:
  Inputs(std::shared_ptr<Call<Plan>> call, std::vector<py::object> owners)
      : call_(std::move(call)), owners_(std::move(owners)) {}

  bool is_done() override { return call_->is_done(); }
  void wait() override { call_->wait(); }

  /// To be dropped: the call is done.
  std::vector<py::object> take_owners() { return std::exchange(owners_, {}); }

 private:
  std::shared_ptr<Call<Plan>> call_;
  std::vector<py::object> owners_;
};

template <class Plan>
class LatePrograms {
 public:
  LatePrograms(std::shared_ptr<Call<Plan>> call, std::weak_ptr<Inputs<Plan>> inputs, bool batched)
      : call_(std::move(call)), inputs_(std::move(inputs)), batched_(batched) {}

  /// The same list each time, or the same error. Dropping the inputs runs Python, which may come back here:
  /// by then the programs are there.
  py::list read() {
    if (const std::shared_ptr<Call<Plan>> call = std::exchange(call_, nullptr); call != nullptr) {
      try {
        programs_ = py::cast(programs_of(*call));
      } catch (const std::exception&) {
        error_ = std::current_exception();
      }
      if (const auto inputs = inputs_.lock()) inputs->take_owners();
    }
    if (error_ != nullptr) std::rethrow_exception(error_);
    return programs_;
  }

 private:
  std::vector<Program> programs_of(Call<Plan>& call) const {
    const WithoutGil release;
    return call.programs(batched_);
  }

  std::shared_ptr<Call<Plan>> call_;
  std::weak_ptr<Inputs<Plan>> inputs_;  ///< kept until they are done
  bool batched_;
  py::list programs_;
  std::exception_ptr error_;
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
  wait_for_mask(data, mask);
  std::shared_ptr<Call<Plan>> call;
  {
    const WithoutGil release;
    call = std::make_shared<Call<Plan>>(maps, options, stream_of(data));
  }
  auto inputs = std::make_shared<Inputs<Plan>>(call, owners_of(data, mask));
  keep(inputs);
  return {std::move(call), inputs, batched};
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

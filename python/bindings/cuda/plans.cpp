#include <pybind11/stl.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../without_gil.hpp"
#include "device_array.hpp"
#include "keeping.hpp"
#include "maps.hpp"
#include "module.hpp"
#include "owned_stream.hpp"
#include "percepts/error.hpp"

namespace percepts::bindings::devices {
namespace {

/// A plan, and whatever its calls read until they are done.
template <class Plan, class Options>
class PlanOnDevice {
 public:
  PlanOnDevice(int device, std::string_view dtype, std::vector<std::int64_t> leading, std::int64_t height,
               std::int64_t width, const Options& options)
      : device_(device), batched_(!leading.empty()), grid_(options.grid), leading_(std::move(leading)) {
    count_ = batched_ ? leading_.front() : 1;
    const cuda::PlanShape shape{
        .device = device, .dtype = dtype_named(dtype), .extent = {height, width}, .count = count_};
    const WithoutGil release;
    plan_ = std::make_shared<Plan>(shape, options);
  }

  /// What calls in flight read goes on living without the plan; so do the plan's buffers, until then.
  ~PlanOnDevice() {
    if (!captured_ && !calls_.empty()) keep(std::make_shared<Rest>(std::move(plan_), std::move(calls_)));
  }
  PlanOnDevice(const PlanOnDevice&) = delete;
  PlanOnDevice& operator=(const PlanOnDevice&) = delete;

  void run(const View& data, const py::object& mask, const py::object& sentinels) {
    const cuda::Maps maps = maps_of(data, mask, sentinels);
    const Stream stream = stream_of(data);
    {
      const WithoutGil release;
      plan_->run(maps, stream);
    }
    tell_stream(stream);
    if (is_capturing(device_, stream)) {
      captured_ = true;
      return;
    }
    captured_ = false;
    keep_until_done(stream, owners_of(data, mask));
  }

  /// Statistics of the plan, as arrays that keep it. Each call makes them ready on its stream.
  py::tuple arrays() {
    const cuda::DeviceStats& stats = plan_->stats();
    const DType extremes = stats.narrow ? DType::float32 : DType::float64;
    arrays_ = py::make_tuple(array(stats.min, extremes), array(stats.max, extremes),
                             array(stats.mean, DType::float64), array(stats.count, DType::int32));
    return arrays_;
  }

  std::vector<Program> programs() {
    std::vector<Program> programs;
    {
      const WithoutGil release;
      plan_->wait();
      for (std::int64_t map = 0; map < count_; ++map) programs.push_back(plan_->program(map));
    }
    // The last call is done, and earlier ones before it. Dropping what they read runs Python, which may come
    // back here: it leaves the list before.
    for (Reading& call : std::exchange(calls_, {})) spare_.push_back(std::move(call.end));
    return programs;
  }

 private:
  /// What the plan's arrays need for as long as they live.
  struct Held {
    std::shared_ptr<Plan> plan;
    std::shared_ptr<OwnedStream> stream;
  };

  struct Reading {
    Event end;
    std::vector<py::object> owners;
  };

  class Rest final : public Work {
   public:
    Rest(std::shared_ptr<Plan> plan, std::deque<Reading> calls)
        : plan_(std::move(plan)), calls_(std::move(calls)) {}
    bool is_done() override { return calls_.back().end.is_done(); }
    void wait() override { calls_.back().end.wait(); }

   private:
    std::shared_ptr<Plan> plan_;
    std::deque<Reading> calls_;
  };

  void tell_stream(Stream stream) {
    if (ready_on_ == stream) return;
    ready_on_ = stream;
    const std::shared_ptr<OwnedStream> owner = OwnedStream::owner_of(stream);
    for (const py::handle each : arrays_) {
      auto& array = each.cast<DeviceArray&>();
      array.stream = stream;
      array.owner = std::make_shared<Held>(Held{.plan = plan_, .stream = owner});
    }
  }

  /// The call is kept before anything is asked: a fault must not free what it reads.
  void keep_until_done(Stream stream, std::vector<py::object> owners) {
    if (spare_.empty()) spare_.emplace_back(device_);
    calls_.push_back({.end = std::move(spare_.back()), .owners = std::move(owners)});
    spare_.pop_back();
    calls_.back().end.record(stream);
    while (calls_.size() > 2 && calls_.front().end.is_done()) {
      spare_.push_back(std::move(calls_.front().end));
      calls_.pop_front();
    }
  }

  DeviceArray array(void* data, DType dtype) const {
    std::vector<std::int64_t> shape = leading_;
    shape.push_back(grid_.rows);
    shape.push_back(grid_.cols);
    std::vector<std::ptrdiff_t> strides(shape.size());
    auto bytes = static_cast<std::ptrdiff_t>(size_of(dtype));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      strides[axis] = bytes;
      bytes *= shape[axis];
    }
    return {.data = static_cast<std::byte*>(data),
            .dtype = dtype,
            .shape = std::move(shape),
            .strides = std::move(strides),
            .device = device_,
            .stream = std::nullopt,
            .memory = nullptr,
            .owner = plan_};
  }

  int device_;
  bool batched_;
  bool captured_ = false;
  std::int64_t count_ = 1;
  Grid grid_;
  std::vector<std::int64_t> leading_;
  std::shared_ptr<Plan> plan_;
  py::tuple arrays_;
  std::optional<Stream> ready_on_;
  std::deque<Reading> calls_;
  std::vector<Event> spare_;
};

template <class Plan, class Options>
void bind_plan(py::module_& module, const char* name) {
  using Bound = PlanOnDevice<Plan, Options>;
  py::class_<Bound>(module, name, py::module_local())
      .def(py::init<int, std::string_view, std::vector<std::int64_t>, std::int64_t, std::int64_t,
                    const Options&>())
      .def("run", &Bound::run)
      .def("arrays", &Bound::arrays)
      .def("programs", &Bound::programs);
}

}  // namespace

void bind_plans(py::module_& module) {
  bind_plan<cuda::DepthPlan, DepthOptions>(module, "DepthPlan");
  bind_plan<cuda::FlowPlan, FlowOptions>(module, "FlowPlan");
}

}  // namespace percepts::bindings::devices

#include "percepts/cuda.hpp"
#include "percepts/error.hpp"

// What a build without CUDA has in its place: everything throws and says why.

namespace percepts::cuda {
namespace {

[[noreturn]] void fail() { throw DeviceError({}, why_unavailable()); }

}  // namespace

std::string why_unavailable() {
  return "percepts was built without CUDA; a build with PERCEPTS_CUDA=ON needs nvcc, the compiler of the "
         "CUDA toolkit";
}

std::vector<Device> devices() { return {}; }
std::vector<std::int32_t> architectures() { return {}; }

struct DepthPlan::State {};

DepthPlan::DepthPlan(const PlanShape& /*shape*/, const DepthOptions& /*options*/) { fail(); }
DepthPlan::~DepthPlan() = default;
DepthPlan::DepthPlan(DepthPlan&&) noexcept = default;
DepthPlan& DepthPlan::operator=(DepthPlan&&) noexcept = default;
void DepthPlan::run(const Maps& /*maps*/, Stream /*stream*/) { fail(); }
const DeviceStats& DepthPlan::stats() const { fail(); }
bool DepthPlan::is_done() const { fail(); }
void DepthPlan::wait() { fail(); }
Program DepthPlan::program(std::int64_t /*map*/) const { fail(); }

struct FlowPlan::State {};

FlowPlan::FlowPlan(const PlanShape& /*shape*/, const FlowOptions& /*options*/) { fail(); }
FlowPlan::~FlowPlan() = default;
FlowPlan::FlowPlan(FlowPlan&&) noexcept = default;
FlowPlan& FlowPlan::operator=(FlowPlan&&) noexcept = default;
void FlowPlan::run(const Maps& /*components*/, Stream /*stream*/) { fail(); }
const DeviceStats& FlowPlan::stats() const { fail(); }
bool FlowPlan::is_done() const { fail(); }
void FlowPlan::wait() { fail(); }
Program FlowPlan::program(std::int64_t /*map*/) const { fail(); }

std::vector<Program> depth(const Maps& /*maps*/, const DepthOptions& /*options*/, Stream /*stream*/) {
  fail();
}
std::vector<Program> flow(const Maps& /*components*/, const FlowOptions& /*options*/, Stream /*stream*/) {
  fail();
}

void grid_stats(const Maps& /*maps*/, const Grid& /*grid*/, const DeviceStats& /*out*/, Stream /*stream*/) {
  fail();
}
void flow_sign(const Maps& /*components*/, const Grid& /*grid*/, std::int8_t* /*out*/, Stream /*stream*/) {
  fail();
}
void neighbor_relations(int /*device*/, const double* /*mean*/, std::int64_t /*maps*/, const Grid& /*grid*/,
                        double /*tau*/, std::int8_t* /*out*/, Stream /*stream*/) {
  fail();
}
void label_mode(const Maps& /*labels*/, const Grid& /*grid*/, std::optional<std::int64_t> /*ignored*/,
                void* /*label*/, double* /*share*/, Stream /*stream*/) {
  fail();
}

}  // namespace percepts::cuda

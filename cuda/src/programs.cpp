#include "percepts/cuda.hpp"
#include "percepts/error.hpp"
#include "runtime/capture.hpp"
#include "runtime/device_guard.hpp"

namespace percepts::cuda {
namespace {

PlanShape shape_of(const Maps& maps) {
  return {.device = maps.device, .dtype = maps.dtype, .extent = maps.extent, .count = maps.count};
}

void check_can_wait(const char* name, const Maps& maps, Stream stream) {
  if (maps.count == 0) return;
  const Doing doing{.what = name, .device = maps.device};
  const DeviceGuard guard(doing);
  if (!is_captured(static_cast<cudaStream_t>(stream), doing)) return;
  throw InvalidArgument("a program made at once needs a stream that is not being captured; use a plan");
}

template <class Plan, class Options>
std::vector<Program> programs_of(const char* doing, const Maps& maps, const Options& options, Stream stream) {
  check_can_wait(doing, maps, stream);
  Plan plan(shape_of(maps), options);
  plan.run(maps, stream);
  plan.wait();
  std::vector<Program> programs;
  programs.reserve(static_cast<std::size_t>(maps.count));
  for (std::int64_t map = 0; map < maps.count; ++map) programs.push_back(plan.program(map));
  return programs;
}

}  // namespace

std::vector<Program> depth(const Maps& maps, const DepthOptions& options, Stream stream) {
  return programs_of<DepthPlan>("reading depth", maps, options, stream);
}

std::vector<Program> flow(const Maps& components, const FlowOptions& options, Stream stream) {
  return programs_of<FlowPlan>("reading flow", components, options, stream);
}

}  // namespace percepts::cuda

#include <utility>

#include "percepts/cuda.hpp"
#include "src/depth_program.hpp"
#include "src/flow_program.hpp"
#include "src/program_scan.hpp"

namespace percepts::cuda {
namespace {

constexpr const char* reading_depth = "reading depth";
constexpr const char* reading_flow = "reading flow";

ScanPurpose purpose_of(const PlanShape& shape, const DepthOptions& options) {
  check(options);
  return {.task = ScanTask::relations,
          .rule = depth_rule(shape.dtype, options),
          .decides = options.relations,
          .what = reading_depth};
}

constexpr ScanPurpose purpose_of_flow{.task = ScanTask::signs, .rule = {}, .what = reading_flow};

}  // namespace

struct DepthPlan::State {
  State(const PlanShape& shape, const DepthOptions& given)
      : options(given), scan(shape, given.grid, purpose_of(shape, given)) {}

  DepthOptions options;
  ProgramScan scan;
};

DepthPlan::DepthPlan(const PlanShape& shape, const DepthOptions& options)
    : state_(std::make_unique<State>(shape, options)) {}
DepthPlan::~DepthPlan() = default;
DepthPlan::DepthPlan(DepthPlan&&) noexcept = default;
DepthPlan& DepthPlan::operator=(DepthPlan&&) noexcept = default;

void DepthPlan::run(const Maps& maps, Stream stream) { state_->scan.run(maps, stream); }
const DeviceStats& DepthPlan::stats() const { return state_->scan.stats(); }
bool DepthPlan::is_done() const { return state_->scan.is_done(); }
void DepthPlan::wait() { state_->scan.wait(); }

Program DepthPlan::program(std::int64_t map) const {
  const auto& [options, scan] = *state_;
  const GridStats stats = scan.stats_of(map);
  const PlanShape& shape = scan.shape();
  const ReadingMap readings = checked_reading_map(shape.dtype, options, stats);
  const std::int8_t* const decisions = options.relations ? scan.decisions_of(map) : nullptr;
  CellRelations relations = relations_of(options, [&](std::int32_t a, std::int32_t b) {
    const bool is_right = options.grid.cols > 1 && b == a + 1;
    return decisions[2 * std::int64_t{a} + (is_right ? 0 : 1)];
  });
  return depth_program(shape.extent, options, readings, stats, scan.means_of(map), std::move(relations));
}

struct FlowPlan::State {
  State(const PlanShape& shape, const FlowOptions& given)
      : options(given), scan(shape, given.grid, purpose_of_flow) {}

  FlowOptions options;
  ProgramScan scan;
};

FlowPlan::FlowPlan(const PlanShape& shape, const FlowOptions& options)
    : state_(std::make_unique<State>(shape, options)) {}
FlowPlan::~FlowPlan() = default;
FlowPlan::FlowPlan(FlowPlan&&) noexcept = default;
FlowPlan& FlowPlan::operator=(FlowPlan&&) noexcept = default;

void FlowPlan::run(const Maps& components, Stream stream) { state_->scan.run(components, stream); }
const DeviceStats& FlowPlan::stats() const { return state_->scan.stats(); }
bool FlowPlan::is_done() const { return state_->scan.is_done(); }
void FlowPlan::wait() { state_->scan.wait(); }

Program FlowPlan::program(std::int64_t map) const {
  const auto& [options, scan] = *state_;
  const std::int8_t* const signs = scan.decisions_of(map);
  percepts::kernels::MeanSigns means{.mean = scan.means_of(map),
                                     .sign = {signs, signs + options.grid.cells()}};
  return flow_program(scan.shape().extent, options, std::move(means), scan.stats_of(map).count);
}

}  // namespace percepts::cuda

// How plans go with streams, graphs, devices and faults.

#include <limits>
#include <optional>
#include <thread>

#include "device_stats.hpp"
#include "percepts/percepts.hpp"

using namespace backend;
namespace emulation = percepts::cuda::emulation;
using emulated::must;

namespace {

constexpr Extent extent{60, 80};
constexpr std::int64_t maps_of_call = 2;

cuda::PlanShape shape_on(int device) {
  return {.device = device, .dtype = DType::float32, .extent = extent, .count = maps_of_call};
}

/// Maps in [0, 1] that a seed tells.
void fill_with(DeviceMaps& maps, std::uint32_t seed) {
  std::mt19937 random(seed);
  maps.fill<float>([&](auto map, auto y, auto) {
    return std::uniform_real_distribution(0.0F, 0.5F)(random) + static_cast<float>((y / 7 + map) % 2) * 0.4F;
  });
}

void check_programs(const cuda::DepthPlan& plan, DeviceMaps& maps, const DepthOptions& options,
                    const std::source_location where = std::source_location::current()) {
  for (std::int64_t map = 0; map < maps_of_call; ++map) {
    check::text(to_text(plan.program(map)), to_text(depth(maps.field(map), options)), where);
  }
}

/// `call` throws DeviceError of this name, with `text` in its message.
template <class Call>
void fails(Call call, std::string_view name, std::string_view text,
           const std::source_location where = std::source_location::current()) {
  try {
    call();
  } catch (const DeviceError& error) {
    check::text(error.name(), name, where);
    if (std::string_view(error.what()).find(text) == std::string_view::npos) {
      check::fail("expected a message with\n" + std::string(text) + "\ngot\n" + error.what(), where);
    }
    return;
  }
  check::fail("nothing was thrown", where);
}

void a_call_is_one_kernel_and_waits_for_nothing() {
  const DepthOptions options;
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 1);
  const cuda::Maps on_device = maps.maps();
  const cudaStream_t stream = emulated::make_stream();
  cuda::DepthPlan plan(shape_on(0), options);
  check::that(plan.is_done());
  for (int call = 0; call < 3; ++call) {
    const emulation::Counters before = emulation::counters();
    plan.run(on_device, stream);
    const emulation::Counters after = emulation::counters();
    check::that(after.launches == before.launches + 1);
    check::that(after.allocations == before.allocations);
    check::that(after.synchronizations == before.synchronizations);
  }
  plan.wait();
  check::that(plan.is_done());
  check_programs(plan, maps, options);
  const GridStats stats = on_host(plan.stats(), 200);
  like_the_cpu(stats, maps, DType::float32, options.grid, maps_of_call);

  // What a plan gives back the next one takes.
  const emulation::Counters before = emulation::counters();
  for (int call = 0; call < 3; ++call) {
    plan = cuda::DepthPlan(shape_on(0), options);  // one while the other is there
    plan.run(on_device, stream);
    plan.wait();
    check_programs(plan, maps, options);
  }
  check::that(emulation::counters().allocations <= before.allocations + 3);
  const emulation::Counters settled = emulation::counters();
  check::text(to_text(cuda::depth(on_device, options, stream)[1]), to_text(depth(maps.field(1), options)));
  check::that(emulation::counters().allocations == settled.allocations);
  must(cudaStreamDestroy(stream));
}

void flow_plans_likewise() {
  const FlowOptions options;
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 2);
  const cuda::Maps on_device = maps.maps();
  cuda::FlowPlan plan(shape_on(0), options);
  const emulation::Counters before = emulation::counters();
  plan.run(on_device, nullptr);
  check::that(emulation::counters().launches == before.launches + 1);
  check::that(emulation::counters().allocations == before.allocations);
  check::that(emulation::counters().synchronizations == before.synchronizations);
  plan.wait();
  check::that(plan.is_done());
  like_the_cpu(on_host(plan.stats(), 200), maps, DType::float32, options.grid, maps_of_call);
  cuda::FlowPlan moved = std::move(plan);
  check::text(to_text(moved.program(0)), to_text(flow(maps.field(0), options)));
}

void calls_follow_each_other_on_a_stream() {
  const DepthOptions options;
  DeviceMaps first(DType::float32, extent, maps_of_call);
  DeviceMaps second(DType::float32, extent, maps_of_call);
  fill_with(first, 3);
  fill_with(second, 4);
  const cudaStream_t stream = emulated::make_stream();
  cuda::DepthPlan plan(shape_on(0), options);
  plan.run(first.maps(), stream);
  plan.run(second.maps(), stream);
  plan.wait();
  check_programs(plan, second, options);
  plan.run(first.maps(), cudaStreamPerThread);
  plan.wait();
  check_programs(plan, first, options);
  must(cudaStreamDestroy(stream));
}

void a_plan_that_ends_early_waits() {
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 5);
  const cudaStream_t stream = emulated::make_stream();
  {
    cuda::DepthPlan plan(shape_on(0), {});
    plan.run(maps.maps(), stream);
  }
  // Nothing is left that would read the maps or write the plan's memory.
  must(cudaStreamQuery(stream));
  must(cudaStreamDestroy(stream));
}

void devices_are_kept_apart() {
  check::that(cuda::devices().size() == 2 && cuda::why_unavailable().empty());
  const DepthOptions options;
  DeviceMaps maps(DType::float32, extent, maps_of_call, {}, 1);
  fill_with(maps, 6);
  int device = -1;
  cuda::DepthPlan plan(shape_on(1), options);
  plan.run(maps.maps(), nullptr);
  plan.wait();
  must(cudaGetDevice(&device));
  check::that(device == 0);
  check_programs(plan, maps, options);
  const StatsMemory memory(DType::float32, 200, 1);
  cuda::grid_stats(maps.maps(), options.grid, memory.get(), nullptr);
  must(cudaSetDevice(1));
  like_the_cpu(on_host(memory.get(), 200), maps, DType::float32, options.grid, maps_of_call);
  must(cudaSetDevice(0));
  fails([] { cuda::DepthPlan(shape_on(7), {}); }, "cudaErrorInvalidDevice",
        "cudaErrorInvalidDevice (invalid device ordinal) while reading depth on cuda:7");
}

void threads_have_plans_of_their_own() {
  std::vector<std::jthread> threads;
  for (std::uint32_t seed = 10; seed < 14; ++seed) {
    threads.emplace_back([seed] {
      DeviceMaps maps(DType::float32, extent, maps_of_call, {}, static_cast<int>(seed % 2));
      fill_with(maps, seed);
      for (int call = 0; call < 3; ++call) {
        const auto programs = cuda::depth(maps.maps(), {}, cudaStreamPerThread);
        check::text(to_text(programs[0]), to_text(depth(maps.field(0))));
      }
    });
  }
}

void graphs_replay_a_plan() {
  const DepthOptions options;
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 20);
  const cuda::Maps on_device = maps.maps();
  const cudaStream_t stream = emulated::make_stream();
  cuda::DepthPlan plan(shape_on(0), options);
  cudaGraph_t graph = nullptr;
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  plan.run(on_device, stream);
  check::refused([&] { cuda::depth(on_device, options, stream); },
                 "a stream that is not being captured; use a plan");
  must(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable = nullptr;
  must(cudaGraphInstantiate(&executable, graph));
  for (std::uint32_t seed = 21; seed < 24; ++seed) {
    fill_with(maps, seed);
    maps.upload();
    must(cudaGraphLaunch(executable, stream));
    plan.wait();
    check_programs(plan, maps, options);
  }
  // A call that is not captured may follow.
  plan.run(on_device, stream);
  plan.wait();
  check_programs(plan, maps, options);
  must(cudaGraphExecDestroy(executable));
  must(cudaGraphDestroy(graph));
  must(cudaStreamDestroy(stream));
}

void only_fitting_maps_are_taken() {
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 30);
  cuda::DepthPlan plan(shape_on(0), {});
  cuda::Maps other = maps.maps();
  other.count = 1;
  check::refused([&] { plan.run(other, nullptr); },
                 "this plan is for 2 maps of 60x80 float32 on cuda:0, got 1 map of 60x80 float32 on cuda:0");
  other = maps.maps();
  other.device = 1;
  check::refused([&] { plan.run(other, nullptr); }, "got 2 maps of 60x80 float32 on cuda:1");
  other = maps.maps();
  other.dtype = DType::int32;
  check::refused([&] { plan.run(other, nullptr); }, "got 2 maps of 60x80 int32 on cuda:0");
  check::refused([&] { static_cast<void>(plan.program(2)); }, "map must be at least 0 and below 2, got 2");
  DepthOptions options;
  options.grid = {61, 1};
  check::refused([&] { cuda::DepthPlan(shape_on(0), options); }, "every cell must hold a pixel: grid 61x1");
  cuda::PlanShape negative = shape_on(0);
  negative.count = -1;
  check::refused([&] { cuda::DepthPlan(negative, {}); }, "there must be at least 0 maps, got -1");
}

void sizes_that_cannot_be_counted_are_refused() {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto check_both = [](const cuda::PlanShape& shape, std::string_view part) {
    check::refused([&] { cuda::DepthPlan(shape, {}); }, part);
    check::refused([&] { cuda::FlowPlan(shape, {}); }, part);
  };
  for (const Extent large : {Extent{most, most}, Extent{most, 10}, Extent{10, most}}) {
    check_both({.device = 0, .dtype = DType::uint8, .extent = large, .count = 1},
               "a cell may hold at most 2147483647 pixels, got cells of ");
  }
  for (const std::int64_t count : {most, most / 2 + 1, std::int64_t{1} << 57}) {
    check_both({.device = 0, .dtype = DType::float32, .extent = extent, .count = count},
               "maps on a device may not be so many, got ");
    const cuda::Maps maps{.extent = extent, .count = count, .mask = {}, .sentinels = {}};
    check::refused([&] { cuda::grid_stats(maps, {8, 1}, {.narrow = true}, nullptr); }, "may not be so many");
    check::refused([&] { cuda::flow_sign(maps, {8, 1}, nullptr, nullptr); }, "may not be so many");
  }
  check::refused([&] { cuda::neighbor_relations(0, nullptr, most, {2, 2}, 0.1, nullptr, nullptr); },
                 "maps on a device may not be so many, got 9223372036854775807 with a grid of 2x2");
  const cuda::Maps labels{
      .dtype = DType::uint8, .extent = extent, .count = most, .mask = {}, .sentinels = {}};
  check::refused([&] { cuda::label_mode(labels, {2, 2}, {}, nullptr, nullptr, nullptr); },
                 "may not be so many");
}

void a_program_needs_a_call() {
  const char* const refusal = "a plan has a program when it has been called, it has not been yet";
  cuda::DepthPlan depth_plan(shape_on(0), {});
  cuda::FlowPlan flow_plan(shape_on(0), {});
  check::refused([&] { static_cast<void>(depth_plan.program(0)); }, refusal);
  check::refused([&] { static_cast<void>(flow_plan.program(1)); }, refusal);
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 31);
  cuda::Maps other = maps.maps();
  other.count = 1;
  check::refused([&] { depth_plan.run(other, nullptr); }, "this plan is for 2 maps");
  check::refused([&] { static_cast<void>(depth_plan.program(0)); }, refusal);
  depth_plan.run(maps.maps(), nullptr);
  depth_plan.wait();
  check_programs(depth_plan, maps, {});

  cuda::PlanShape none = shape_on(0);
  none.count = 0;
  check::refused([&] { static_cast<void>(cuda::DepthPlan(none, {}).program(0)); }, "map must be at least 0");
  check::refused([&] { static_cast<void>(cuda::FlowPlan(none, {}).program(0)); }, "map must be at least 0");
}

void no_maps_are_no_work() {
  const emulation::Counters before = emulation::counters();
  const cuda::Maps none{.extent = extent, .count = 0, .mask = {}, .sentinels = {}};
  check::that(cuda::depth(none, {}, nullptr).empty());
  check::that(cuda::flow(none, {}, nullptr).empty());
  cuda::grid_stats(none, {2, 2}, {.narrow = true}, nullptr);
  cuda::flow_sign(none, {2, 2}, nullptr, nullptr);
  cuda::neighbor_relations(0, nullptr, 0, {2, 2}, 0.1, nullptr, nullptr);
  check::that(emulation::counters().launches == before.launches);
}

void faults_say_what_was_being_done() {
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 40);
  const cuda::Maps on_device = maps.maps();
  const DepthOptions options;
  cuda::DepthPlan plan(shape_on(0), options);

  emulation::leave_error(cudaErrorInvalidConfiguration);
  fails(
      [&] { plan.run(on_device, nullptr); }, "cudaErrorInvalidConfiguration",
      "cudaErrorInvalidConfiguration (invalid configuration argument) was left by earlier work, found before "
      "reading depth on cuda:0");
  plan.run(on_device, nullptr);
  plan.wait();
  check_programs(plan, maps, options);

  emulation::fail_call("cudaLaunchKernel", cudaErrorNoKernelImageForDevice);
  fails([&] { plan.run(on_device, nullptr); }, "cudaErrorNoKernelImageForDevice",
        "while reading depth on cuda:0: this build has machine code for compute capabilities");
  emulation::fail_call("cudaMemcpyAsync", cudaErrorInvalidValue);
  fails([&] { plan.run(on_device, nullptr); }, "cudaErrorInvalidValue", "while reading depth on cuda:0");
  plan.run(on_device, nullptr);
  plan.wait();
  check_programs(plan, maps, options);

  // Memory of an unusual size, which no plan has given back.
  const cuda::PlanShape large{.device = 0, .dtype = DType::uint8, .extent = {400, 400}, .count = 3};
  DepthOptions fine;
  fine.grid = {200, 200};
  emulation::fail_call("cudaMalloc", cudaErrorMemoryAllocation);
  cuda::DepthPlan(large, fine);  // idle memory is given back, then there is some
  cuda::PlanShape larger = large;
  larger.count = 9;
  emulation::fail_call("cudaMalloc", cudaErrorMemoryAllocation);
  emulation::fail_call("cudaMalloc", cudaErrorMemoryAllocation);
  fails([&] { cuda::DepthPlan(larger, fine); }, "cudaErrorMemoryAllocation",
        "cudaErrorMemoryAllocation (out of memory) while reading depth on cuda:0");
  emulation::forget_errors();
  emulation::fail_call("cudaHostAlloc", cudaErrorMemoryAllocation);
  emulation::fail_call("cudaHostAlloc", cudaErrorMemoryAllocation);
  fails([&] { cuda::FlowPlan(larger, {}); }, "cudaErrorMemoryAllocation", "while reading flow on cuda:0");
  emulation::forget_errors();
  must(cudaGetLastError());
}

void work_that_fails_is_told_by_whoever_waits() {
  DeviceMaps maps(DType::float32, extent, maps_of_call);
  fill_with(maps, 41);
  const cuda::Maps on_device = maps.maps();
  const cudaStream_t stream = emulated::make_stream();
  {
    cuda::DepthPlan plan(shape_on(0), {});
    must(emulation::fail_work(stream, cudaErrorIllegalAddress));
    plan.run(on_device, stream);
    fails([&] { plan.wait(); }, "cudaErrorIllegalAddress",
          "cudaErrorIllegalAddress (an illegal memory access was encountered) while reading depth on cuda:0");
    fails([&] { plan.run(on_device, stream); }, "cudaErrorIllegalAddress", "was left by earlier work");
  }
  emulation::forget_errors();
  fill_with(maps, 42);
  check::text(to_text(cuda::depth(maps.maps(), {}, nullptr)[0]), to_text(depth(maps.field(0))));
}

void machines_without_devices_say_so() {
  emulation::set_device_count(0);
  check::text(cuda::why_unavailable(),
              "there is no CUDA device on this machine, or CUDA_VISIBLE_DEVICES hides all of them");
  check::that(cuda::devices().empty());
  fails([] { cuda::DepthPlan(shape_on(0), {}); }, "cudaErrorNoDevice",
        "while reading depth on cuda:0: there is no CUDA device");
  emulation::set_device_count(emulation::max_devices);
  emulation::fail_call("cudaGetDeviceCount", cudaErrorInsufficientDriver);
  check::that(cuda::why_unavailable().starts_with("the NVIDIA driver is too old: it supports CUDA "));
  emulation::forget_errors();
  check::that(cuda::why_unavailable().empty());
}

}  // namespace

int main() {
  a_call_is_one_kernel_and_waits_for_nothing();
  flow_plans_likewise();
  calls_follow_each_other_on_a_stream();
  a_plan_that_ends_early_waits();
  devices_are_kept_apart();
  threads_have_plans_of_their_own();
  graphs_replay_a_plan();
  only_fitting_maps_are_taken();
  sizes_that_cannot_be_counted_are_refused();
  a_program_needs_a_call();
  no_maps_are_no_work();
  faults_say_what_was_being_done();
  work_that_fails_is_told_by_whoever_waits();
  machines_without_devices_say_so();
}

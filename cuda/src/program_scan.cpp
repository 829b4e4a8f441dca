#include "src/program_scan.hpp"

#include <limits>

#include "kernels/scan.hpp"
#include "percepts/error.hpp"
#include "runtime/capture.hpp"
#include "runtime/device_guard.hpp"
#include "src/maps.hpp"
#include "src/message.hpp"

namespace percepts::cuda {
namespace {

std::string text_of(std::int64_t count, const Extent& extent, DType dtype, int device) {
  return message(count, count == 1 ? " map of " : " maps of ", extent.height, "x", extent.width, " ",
                 name_of(dtype), " on cuda:", device);
}

/// Limits of values, where readings are clipped.
void put_limits(const kernels::DepthRule& rule, DType dtype, Validity& validity) {
  if (!rule.normalizes || !rule.has_range) return;
  const kernels::MeanReadingRule readings(kernels::reading_map(rule, 0, 0), dtype);
  validity.limits = true;
  validity.low = readings.lowest();
  validity.high = readings.highest();
}

}  // namespace

ProgramScan::Layout ProgramScan::layout_of(const PlanShape& shape, const ScanCut& cut,
                                           std::size_t decisions) {
  const auto maps = static_cast<std::size_t>(shape.count);
  const auto cells = maps * static_cast<std::size_t>(cut.cells());
  const std::size_t extreme = fits_float32(shape.dtype) ? sizeof(float) : sizeof(double);
  std::size_t end = 0;
  const auto take = [&](std::size_t count, std::size_t each) {
    constexpr std::size_t alignment = 16;
    const std::size_t start = (end + alignment - 1) / alignment * alignment;
    end = start + count * each;
    return start;
  };
  Layout layout{};
  layout.means = take(cells, sizeof(double));
  layout.counts = take(cells, sizeof(std::int32_t));
  layout.min = take(cells, extreme);
  layout.max = take(cells, extreme);
  layout.decisions = take(cells, decisions);
  layout.copied = end;
  layout.stat_means = take(cells, sizeof(double));
  layout.errors = take(cells, sizeof(double));
  layout.open = take(cells, 1);
  layout.partials =
      take(maps * static_cast<std::size_t>(cut.partials()), static_cast<std::size_t>(partial_bytes));
  layout.end = end;
  return layout;
}

ProgramScan::ProgramScan(const PlanShape& shape, const Grid& grid, const ScanPurpose& purpose)
    : shape_(shape), grid_(grid), purpose_(purpose) {
  check_count(shape.count);
  check_grid(grid, shape.extent);
  params_.cut = scan_cut(shape.dtype, shape.extent, grid, shape.count);
  params_.task = purpose.task;
  params_.rule = purpose.rule;
  const std::size_t decisions = purpose.task == ScanTask::signs ? 1 : purpose.decides ? 2 : 0;
  layout_ = layout_of(shape, params_.cut, decisions);
  params_.stats.narrow = fits_float32(shape.dtype);
  if (shape.count == 0) return;

  check_nothing_left(doing());
  const DeviceGuard guard(doing());
  numbers_.emplace(MemoryKind::device, layout_.end, doing());
  arrivals_.emplace(MemoryKind::zeroed, static_cast<std::size_t>(shape.count) * sizeof(unsigned), doing());
  host_.emplace(MemoryKind::pinned, layout_.copied, doing());
  event_.emplace(doing());
  std::byte* const numbers = numbers_->data();
  params_.means = reinterpret_cast<double*>(numbers + layout_.means);
  params_.stats.count = reinterpret_cast<std::int32_t*>(numbers + layout_.counts);
  params_.stats.min = numbers + layout_.min;
  params_.stats.max = numbers + layout_.max;
  params_.decisions = decisions == 0 ? nullptr : reinterpret_cast<std::int8_t*>(numbers + layout_.decisions);
  params_.stats.mean = reinterpret_cast<double*>(numbers + layout_.stat_means);
  params_.errors = reinterpret_cast<double*>(numbers + layout_.errors);
  params_.open = reinterpret_cast<std::uint8_t*>(numbers + layout_.open);
  params_.partials = numbers + layout_.partials;
  params_.arrivals = reinterpret_cast<unsigned*>(arrivals_->data());
}

ProgramScan::~ProgramScan() {
  if (in_graph_) {
    for (auto* const buffer : {&numbers_, &arrivals_, &host_}) (*buffer)->leave();
    return;
  }
  if (!ran_ || waited_) return;
  try {
    if (!is_done()) wait();
  } catch (const DeviceError&) {
    // Whoever asks next gets to know. Whether the work is over is unknown: nobody else gets its memory.
    for (auto* const buffer : {&numbers_, &arrivals_, &host_}) (*buffer)->leave();
  }
}

void ProgramScan::check_shape(const Maps& maps) const {
  const bool fits = maps.device == shape_.device && maps.dtype == shape_.dtype &&
                    maps.count == shape_.count && maps.extent.height == shape_.extent.height &&
                    maps.extent.width == shape_.extent.width;
  if (fits) return;
  throw InvalidArgument(message("this plan is for ",
                                text_of(shape_.count, shape_.extent, shape_.dtype, shape_.device), ", got ",
                                text_of(maps.count, maps.extent, maps.dtype, maps.device)));
}

void ProgramScan::run(const Maps& maps, Stream stream) {
  check_maps(maps);
  check_shape(maps);
  if (maps.count == 0) return;
  const auto on = static_cast<cudaStream_t>(stream);
  check_nothing_left(doing());
  const DeviceGuard guard(doing());
  const bool captured = is_captured(on, doing());

  const std::int64_t columns = columns_of_thread_for(maps.dtype);
  params_.pixels = pixels_of(maps, columns);
  Validity validity = validity_of(maps, columns);
  put_limits(params_.rule, maps.dtype, validity);
  if (arrivals_->is_to_be_zeroed()) {
    check(cudaMemsetAsync(arrivals_->data(), 0, arrivals_->bytes(), on), doing());
    if (!captured) arrivals_->was_zeroed();  // in a graph it is not done yet
  }
  check(scan(maps.dtype, params_, is_plain(validity) ? nullptr : &validity, maps.count, on), doing());
  // From here on memory is in use, whatever fails.
  ran_ = true;
  has_event_ = false;
  waited_ = false;
  check(cudaMemcpyAsync(host_->data(), numbers_->data(), layout_.copied, cudaMemcpyDeviceToHost, on),
        doing());
  if (captured) in_graph_ = true;
  if (in_graph_) return;  // the event would become a part of the graph, or tell nothing of its next launch
  check(cudaEventRecord(event_->get(), on), doing());
  has_event_ = true;
}

bool ProgramScan::is_done() {
  if (!has_event_) return !ran_;
  if (waited_) return true;
  const BesideCaptures beside;
  const cudaError_t result = cudaEventQuery(event_->get());
  if (result == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  check(result, doing());
  waited_ = true;
  return true;
}

void ProgramScan::wait() {
  if (!ran_) return;
  const DeviceGuard guard(doing());
  if (!has_event_) {  // a graph may be launched again: this tells nothing of the next time
    check(cudaDeviceSynchronize(), doing());
    return;
  }
  const BesideCaptures beside;
  check(cudaEventSynchronize(event_->get()), doing());
  waited_ = true;
}

std::size_t ProgramScan::first_cell(std::int64_t map) const {
  if (map < 0 || map >= shape_.count) {
    throw InvalidArgument(message("map must be at least 0 and below ", shape_.count, ", got ", map));
  }
  // Before a call the numbers are whatever was in the memory.
  if (!ran_) throw InvalidArgument("a plan has a program when it has been called, it has not been yet");
  return static_cast<std::size_t>(map * grid_.cells());
}

template <class T>
const T* ProgramScan::on_host(std::size_t offset) const {
  return reinterpret_cast<const T*>(host_->data() + offset);
}

GridStats ProgramScan::stats_of(std::int64_t map) const {
  const std::size_t first = first_cell(map);
  const auto cells = static_cast<std::size_t>(grid_.cells());
  GridStats stats;
  const auto copy = [&]<class T>(const T* from) {
    stats.min.assign(from + first, from + first + cells);
    const T* const max = on_host<T>(layout_.max);
    stats.max.assign(max + first, max + first + cells);
  };
  if (params_.stats.narrow) {
    copy(on_host<float>(layout_.min));
  } else {
    copy(on_host<double>(layout_.min));
  }
  const auto* const count = on_host<std::int32_t>(layout_.counts);
  stats.count.assign(count + first, count + first + cells);
  return stats;
}

std::vector<double> ProgramScan::means_of(std::int64_t map) const {
  const double* const first = on_host<double>(layout_.means) + first_cell(map);
  return {first, first + grid_.cells()};
}

const std::int8_t* ProgramScan::decisions_of(std::int64_t map) const {
  const std::size_t each = purpose_.task == ScanTask::relations ? 2 : 1;
  return on_host<std::int8_t>(layout_.decisions) + each * first_cell(map);
}

}  // namespace percepts::cuda

#include <cstddef>
#include <limits>
#include <type_traits>

#include "kernels/label_mode.hpp"
#include "kernels/neighbor_relations.hpp"
#include "kernels/scan.hpp"
#include "percepts/cuda.hpp"
#include "percepts/error.hpp"
#include "runtime/device_guard.hpp"
#include "src/maps.hpp"
#include "src/message.hpp"

// Kernels by themselves, with scratch memory in the stream's order.

namespace percepts::cuda {
namespace {

/// Memory of the device's own pool, given back in the stream's order.
class StreamMemory {
 public:
  StreamMemory(std::size_t bytes, cudaStream_t stream, const Doing& doing) : stream_(stream) {
    check(cudaMallocAsync(&data_, bytes, stream), doing);
  }
  ~StreamMemory() { static_cast<void>(cudaFreeAsync(data_, stream_)); }
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

/// Bytes of several arrays, one behind the other.
class Places {
 public:
  std::size_t take(std::int64_t count, std::size_t each) {
    constexpr std::size_t alignment = 16;
    const std::size_t start = (end_ + alignment - 1) / alignment * alignment;
    end_ = start + static_cast<std::size_t>(count) * each;
    return start;
  }
  std::size_t end() const { return end_; }

 private:
  std::size_t end_ = 0;
};

template <class T>
T* at(const StreamMemory& memory, std::size_t offset) {
  return reinterpret_cast<T*>(memory.data() + offset);
}

/// Scans maps into arrays of the caller; those that the caller does not want are scratch.
void scan_maps(const Maps& maps, const Grid& grid, const DeviceStats* stats, std::int8_t* signs,
               cudaStream_t stream, const Doing& doing) {
  check_maps(maps);
  check_grid(grid, maps.extent);
  if (maps.count == 0) return;
  check_nothing_left(doing);
  const DeviceGuard guard(doing);
  ScanParams params{};
  params.cut = scan_cut(maps.dtype, maps.extent, grid, maps.count);
  params.task = signs == nullptr ? ScanTask::stats : ScanTask::signs;
  const std::int64_t cells = maps.count * grid.cells();
  Places places;
  const std::size_t arrivals = places.take(maps.count, sizeof(unsigned));
  const std::size_t cleared = places.end();
  const std::size_t partials = places.take(maps.count * params.cut.partials(), partial_bytes);
  const std::size_t open = places.take(cells, 1);
  const std::int64_t own = stats == nullptr ? cells : 0;
  const std::size_t min = places.take(own, sizeof(double));
  const std::size_t max = places.take(own, sizeof(double));
  const std::size_t mean = places.take(own, sizeof(double));
  const std::size_t count = places.take(own, sizeof(std::int32_t));
  const std::size_t means = places.take(signs == nullptr ? 0 : cells, sizeof(double));

  const StreamMemory scratch(places.end(), stream, doing);
  params.arrivals = at<unsigned>(scratch, arrivals);
  params.partials = at<std::byte>(scratch, partials);
  params.open = at<std::uint8_t>(scratch, open);
  params.means = at<double>(scratch, means);
  params.decisions = signs;
  params.stats = stats != nullptr ? *stats
                                  : DeviceStats{.min = at<void>(scratch, min),
                                                .max = at<void>(scratch, max),
                                                .mean = at<double>(scratch, mean),
                                                .count = at<std::int32_t>(scratch, count),
                                                .narrow = fits_float32(maps.dtype)};
  check(cudaMemsetAsync(params.arrivals, 0, cleared, stream), doing);
  const std::int64_t columns = columns_of_thread_for(maps.dtype);
  params.pixels = pixels_of(maps, columns);
  const Validity validity = validity_of(maps, columns);
  check(scan(maps.dtype, params, is_plain(validity) ? nullptr : &validity, maps.count, stream), doing);
}

constexpr bool holds_labels(DType dtype) {
  return dtype != DType::float16 && dtype != DType::bfloat16 && dtype != DType::float32 &&
         dtype != DType::float64;
}

/// Whether a label is one that this type can hold; 64 unsigned bits hold it as the bits that it is.
bool is_label_of(DType dtype, std::int64_t label) {
  const auto within = [&]<class T>(T /*type*/) {
    return static_cast<std::int64_t>(static_cast<T>(label)) == label;
  };
  switch (dtype) {
    case DType::boolean:
      return label == 0 || label == 1;
    case DType::int8:
      return within(std::int8_t{});
    case DType::uint8:
      return within(std::uint8_t{});
    case DType::int16:
      return within(std::int16_t{});
    case DType::uint16:
      return within(std::uint16_t{});
    case DType::int32:
      return within(std::int32_t{});
    case DType::uint32:
      return within(std::uint32_t{});
    default:
      return true;
  }
}

}  // namespace

void grid_stats(const Maps& maps, const Grid& grid, const DeviceStats& out, Stream stream) {
  if (out.narrow != fits_float32(maps.dtype)) {
    throw InvalidArgument(message("the extremes of ", name_of(maps.dtype), " are ",
                                  fits_float32(maps.dtype) ? "float32" : "float64"));
  }
  scan_maps(maps, grid, &out, nullptr, static_cast<cudaStream_t>(stream), {"taking statistics", maps.device});
}

void flow_sign(const Maps& components, const Grid& grid, std::int8_t* out, Stream stream) {
  scan_maps(components, grid, nullptr, out, static_cast<cudaStream_t>(stream),
            {"taking signs of means", components.device});
}

void neighbor_relations(int device, const double* mean, std::int64_t maps, const Grid& grid, double tau,
                        std::int8_t* out, Stream stream) {
  check_tau(tau);
  check_grid(grid);
  check_count(maps, grid);
  if (maps == 0) return;
  const Doing doing{.what = "relating neighbours", .device = device};
  check_nothing_left(doing);
  const DeviceGuard guard(doing);
  const NeighborParams params{
      .mean = mean, .count = maps * grid.cells(), .grid = grid, .tau = tau, .relations = out};
  check(relate_neighbors(params, static_cast<cudaStream_t>(stream)), doing);
}

void label_mode(const Maps& labels, const Grid& grid, std::optional<std::int64_t> ignored, void* label,
                double* share, Stream stream) {
  check_grid(grid, labels.extent);
  check_count(labels.count, grid);
  if (!holds_labels(labels.dtype)) {
    throw InvalidArgument(message("labels must be integers, got ", name_of(labels.dtype)));
  }
  if (labels.count == 0) return;
  const Doing doing{.what = "reading labels", .device = labels.device};
  check_nothing_left(doing);
  const DeviceGuard guard(doing);
  const std::int64_t nothing = ignored.value_or(0);
  const LabelParams params{
      .labels = pixels_of(labels, 1),
      .mask = mask_of(labels, 1),
      .extent = labels.extent,
      .grid = grid,
      .cells = labels.count * grid.cells(),
      .ignores = ignored && is_label_of(labels.dtype, *ignored),
      .ignored = static_cast<std::uint64_t>(nothing),
      .nothing = static_cast<std::uint64_t>(labels.dtype == DType::boolean && nothing != 0 ? 1 : nothing),
      .label = label,
      .share = share};
  check(find_label_modes(labels.dtype, params, static_cast<cudaStream_t>(stream)), doing);
}

}  // namespace percepts::cuda

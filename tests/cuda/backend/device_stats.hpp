#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "device_maps.hpp"
#include "kernels/mean_error.hpp"
#include "percepts/kernels.hpp"

// Statistics that a device has made, compared with the CPU's.

namespace backend {

inline void same(double actual, double expected, const std::source_location where) {
  if (std::isnan(expected) ? std::isnan(actual)
                           : actual == expected && std::signbit(actual) == std::signbit(expected)) {
    return;
  }
  check::fail("expected " + std::to_string(expected) + ", got " + std::to_string(actual), where);
}

/// Memory for statistics of so many cells.
class StatsMemory {
 public:
  StatsMemory(DType dtype, std::int64_t cells, int device = 0)
      : narrow_(cuda::fits_float32(dtype)), cells_(static_cast<std::size_t>(cells)) {
    int before = 0;
    emulated::must(cudaGetDevice(&before));
    emulated::must(cudaSetDevice(device));
    min_ = emulated::device_memory<double>(cells_);
    max_ = emulated::device_memory<double>(cells_);
    mean_ = emulated::device_memory<double>(cells_);
    count_ = emulated::device_memory<std::int32_t>(cells_);
    emulated::must(cudaSetDevice(before));
  }
  ~StatsMemory() {
    for (double* const memory : {min_, max_, mean_}) emulated::must(cudaFree(memory));
    emulated::must(cudaFree(count_));
  }
  StatsMemory(const StatsMemory&) = delete;
  StatsMemory& operator=(const StatsMemory&) = delete;

  cuda::DeviceStats get() const {
    return {.min = min_, .max = max_, .mean = mean_, .count = count_, .narrow = narrow_};
  }

 private:
  bool narrow_;
  std::size_t cells_;
  double* min_;
  double* max_;
  double* mean_;
  std::int32_t* count_;
};

inline GridStats on_host(const cuda::DeviceStats& stats, std::size_t cells) {
  GridStats host;
  const auto extremes = [&](const void* from) {
    if (!stats.narrow) return emulated::host_copy(static_cast<const double*>(from), cells);
    const std::vector<float> narrow = emulated::host_copy(static_cast<const float*>(from), cells);
    return std::vector<double>(narrow.begin(), narrow.end());
  };
  host.min = extremes(stats.min);
  host.max = extremes(stats.max);
  host.mean = emulated::host_copy(stats.mean, cells);
  host.count = emulated::host_copy(stats.count, cells);
  return host;
}

/// Extremes, counts and exact means are the same; other means are within their bounds.
inline void like_the_cpu(const GridStats& stats, DeviceMaps& maps, DType dtype, const Grid& grid,
                         std::int64_t count,
                         const std::source_location where = std::source_location::current()) {
  std::size_t at = 0;
  for (std::int64_t map = 0; map < count; ++map) {
    const GridStats expected = grid_stats(maps.field(map), grid);
    for (std::size_t cell = 0; cell < expected.count.size(); ++cell, ++at) {
      if (stats.count[at] != expected.count[cell]) {
        check::fail("expected a count of " + std::to_string(expected.count[cell]) + ", got " +
                        std::to_string(stats.count[at]) + " in cell " + std::to_string(cell),
                    where);
      }
      same(stats.min[at], expected.min[cell], where);
      same(stats.max[at], expected.max[cell], where);
      const double mean = expected.mean[cell];
      const double bound =
          kernels::mean_error(dtype, expected.min[cell], expected.max[cell], expected.count[cell]);
      if (bound == 0 || std::isnan(mean)) {
        same(stats.mean[at] + 0.0, mean + 0.0, where);
      } else {
        check::that(std::abs(stats.mean[at] - mean) <= 2 * bound, where);
        check::that(stats.mean[at] >= stats.min[at] && stats.mean[at] <= stats.max[at], where);
      }
    }
  }
}

}  // namespace backend

#pragma once

#include <cstdint>
#include <limits>

#include "kernels/defined_mean.hpp"
#include "kernels/scan_cells.hpp"
#include "kernels/scan_params.hpp"
#include "kernels/sign_rule.hpp"

// What the last block of a map makes of the partial statistics that all blocks of the map have left.

namespace percepts::cuda {

/// Finishes one map. Loops go over any number of cells; every cell is one thread's own in all phases but
/// those that take means as they are defined.
template <class E, bool careful>
class Finish {
  using Total = Partial<typename E::Total>;

 public:
  __device__ __forceinline__ Finish(const ScanParams& scan, const Validity* validity, std::int64_t map)
      : scan_(scan),
        validity_(validity),
        map_(map),
        cells_(scan.cut.cells()),
        first_(map * cells_),
        thread_(static_cast<std::int32_t>(threadIdx.x)),
        threads_(static_cast<std::int32_t>(blockDim.x)) {}

  __device__ __forceinline__ void run() {
    write_stats();
    if (scan_.task == ScanTask::signs) tell_signs();
    if (scan_.task == ScanTask::relations) tell_relations();
  }

 private:
  template <class Visit>
  __device__ __forceinline__ void for_each_cell(Visit visit) const {
    for (std::int64_t cell = thread_; cell < cells_; cell += threads_) visit(cell);
  }

  /// Statistics of each cell. Means that a sum which is not finite leaves out are taken as defined.
  __device__ __forceinline__ void write_stats() {
    unsigned open = 0;
    for_each_cell([&](std::int64_t cell) {
      const Total total = total_of(cell);
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      const bool empty = total.count == 0;
      // Adding 0 makes 0 of −0.
      put_extreme(scan_.stats.min, first_ + cell, empty ? nan : total.min + 0.0);
      put_extreme(scan_.stats.max, first_ + cell, empty ? nan : total.max + 0.0);
      scan_.stats.count[first_ + cell] = static_cast<std::int32_t>(total.count);
      const double mean = static_cast<double>(total.sum) / total.count;
      const bool is_open = !empty && !is_finite<Float64>(mean);
      // Rounded sums of equal values may leave their range by a little.
      const double within = mean < total.min ? total.min : total.max < mean ? total.max : mean;
      scan_.stats.mean[first_ + cell] = empty ? nan : within;
      if constexpr (careful) {
        if (validity_->limits) scan_.means[first_ + cell] = total.limited / total.count;
      }
      if constexpr (E::is_real) mark(cell, is_open, open);
    });
    if constexpr (E::is_real) {
      for_each_open(open, [&](std::int64_t cell) {
        const double mean = defined_mean_of(cell);
        if (thread_ % warpSize == 0) scan_.stats.mean[first_ + cell] = mean;
      });
    }
  }

  /// The sum of a cell's partials, in their order.
  __device__ __forceinline__ Total total_of(std::int64_t cell) const {
    const ScanCut& cut = scan_.cut;
    const std::int64_t row = cell / cut.grid.cols;
    const std::int64_t col = cell % cut.grid.cols;
    const std::int64_t tile_width = std::int64_t{cut.column_threads} * columns_of_thread<E>;
    const std::int64_t first_tile = cut.tiles == 1 ? 0 : cut.cols.edge(col) / tile_width;
    const std::int64_t last_tile = cut.tiles == 1 ? 0 : (cut.cols.edge(col + 1) - 1) / tile_width;
    const Total* const partials = reinterpret_cast<const Total*>(scan_.partials) + map_ * cut.partials();
    Total total = Runs<E, careful>::nothing();
    for (std::int64_t chunk = 0; chunk < cut.chunks; ++chunk) {
      for (std::int64_t tile = first_tile; tile <= last_tile; ++tile) {
        const Total part = partials[cut.partial(row, chunk, col, tile)];
        total.min = part.min < total.min ? part.min : total.min;
        total.max = total.max < part.max ? part.max : total.max;
        total.sum += part.sum;
        total.limited += part.limited;
        total.count += part.count;
      }
    }
    return total;
  }

  /// Signs of means, each the one of the defined mean.
  __device__ __forceinline__ void tell_signs() {
    unsigned open = 0;
    for_each_cell([&](std::int64_t cell) {
      const kernels::CellValues values = values_of(cell);
      scan_.means[first_ + cell] = values.mean;
      mark(cell, kernels::sign_is_open(E::dtype, values.min, values.max, values.mean, values.count), open);
    });
    for_each_open(open, [&](std::int64_t cell) {
      const double mean = defined_mean_of(cell);
      if (thread_ % warpSize == 0) scan_.means[first_ + cell] = mean;
    });
    for_each_cell([&](std::int64_t cell) {
      scan_.decisions[first_ + cell] = kernels::sign_of_mean(scan_.means[first_ + cell]);
    });
  }

  /// Mean readings, and which of two neighbours is in front.
  __device__ __forceinline__ void tell_relations() {
    const kernels::MeanReadingRule rule(reading_map(), E::dtype);
    for_each_cell([&](std::int64_t cell) {
      const kernels::CellValues values = values_of(cell);
      kernels::MeanReading reading = rule.unlimited(values);
      if constexpr (careful) {
        if (validity_->limits && rule.clips(values))
          reading = rule.limited(values, scan_.means[first_ + cell]);
      }
      scan_.means[first_ + cell] = reading.mean;
      scan_.errors[first_ + cell] = reading.error;
    });
    if (scan_.decisions == nullptr) return;
    __syncthreads();
    unsigned open = 0;
    for_each_cell([&](std::int64_t cell) { mark(cell, is_open(cell), open); });
    for_each_open(open, [&](std::int64_t cell) {
      const double mean = defined_reading_of(cell, rule);
      if (thread_ % warpSize == 0) scan_.means[first_ + cell] = mean;
    });
    for_each_cell([&](std::int64_t cell) {
      const std::int64_t col = cell % scan_.cut.grid.cols;
      const std::int64_t right = col + 1 < scan_.cut.grid.cols ? cell + 1 : cell;
      const std::int64_t below = cell + scan_.cut.grid.cols < cells_ ? cell + scan_.cut.grid.cols : cell;
      std::int8_t* const decisions = scan_.decisions + 2 * (first_ + cell);
      decisions[0] = relation(cell, right);
      decisions[1] = relation(cell, below);
    });
  }

  __device__ __forceinline__ std::int8_t relation(std::int64_t a, std::int64_t b) const {
    if (a == b) return 0;
    const double* const means = scan_.means + first_;
    return static_cast<std::int8_t>(kernels::in_front(scan_.rule, means[a], means[b]));
  }

  /// Whether rounding leaves any relation of a cell open.
  __device__ __forceinline__ bool is_open(std::int64_t cell) const {
    if (scan_.errors[first_ + cell] == 0) return false;
    const std::int64_t cols = scan_.cut.grid.cols;
    const std::int64_t col = cell % cols;
    return (col > 0 && is_open(cell, cell - 1)) || (col + 1 < cols && is_open(cell, cell + 1)) ||
           (cell >= cols && is_open(cell, cell - cols)) ||
           (cell + cols < cells_ && is_open(cell, cell + cols));
  }

  __device__ __forceinline__ bool is_open(std::int64_t a, std::int64_t b) const {
    // A cell without data is related to none.
    if (scan_.stats.count[first_ + a] == 0 || scan_.stats.count[first_ + b] == 0) return false;
    const kernels::MeanReading first{scan_.means[first_ + a], scan_.errors[first_ + a]};
    const kernels::MeanReading second{scan_.means[first_ + b], scan_.errors[first_ + b]};
    return kernels::leaves_open(first, second, scan_.rule.tau);
  }

  /// How values become readings: by the range of the map's valid values, where no other is given.
  __device__ __forceinline__ ReadingMap reading_map() const {
    __shared__ double lows[32];
    __shared__ double highs[32];
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for_each_cell([&](std::int64_t cell) {
      const kernels::CellValues values = values_of(cell);
      if (values.count == 0) return;
      low = values.min < low ? values.min : low;
      high = high < values.max ? values.max : high;
    });
    for (int distance = warpSize / 2; distance > 0; distance /= 2) {
      const double other_low = from_lane(low, distance, warpSize);
      const double other_high = from_lane(high, distance, warpSize);
      low = other_low < low ? other_low : low;
      high = high < other_high ? other_high : high;
    }
    if (thread_ % warpSize == 0) {
      lows[thread_ / warpSize] = low;
      highs[thread_ / warpSize] = high;
    }
    __syncthreads();
    for (int warp = 0; warp < threads_ / warpSize; ++warp) {
      low = lows[warp] < low ? lows[warp] : low;
      high = high < highs[warp] ? highs[warp] : high;
    }
    return low <= high ? kernels::reading_map(scan_.rule, low, high) : kernels::reading_map(scan_.rule, 0, 0);
  }

  __device__ __forceinline__ double defined_mean_of(std::int64_t cell) const {
    return defined_mean<E, careful>(scan_, validity_, map_, rect_of(cell), values_of(cell));
  }

  __device__ __forceinline__ double defined_reading_of(std::int64_t cell,
                                                       const kernels::MeanReadingRule& rule) const {
    const kernels::CellValues values = values_of(cell);
    if (rule.clips(values)) {
      return defined_mean_of_readings<E, careful>(scan_, validity_, map_, rect_of(cell), rule.map(),
                                                  values.count);
    }
    return reading(rule.map(), defined_mean<E, careful>(scan_, validity_, map_, rect_of(cell), values));
  }

  __device__ __forceinline__ kernels::CellRect rect_of(std::int64_t cell) const {
    return kernels::cell_rect(scan_.cut.grid, scan_.cut.extent, cell);
  }

  __device__ __forceinline__ kernels::CellValues values_of(std::int64_t cell) const {
    return {.min = extreme(scan_.stats.min, first_ + cell),
            .max = extreme(scan_.stats.max, first_ + cell),
            .mean = scan_.stats.mean[first_ + cell],
            .count = scan_.stats.count[first_ + cell]};
  }

  __device__ __forceinline__ void put_extreme(void* extremes, std::int64_t at, double value) const {
    if constexpr (fits_float32(E::dtype)) {
      static_cast<float*>(extremes)[at] = static_cast<float>(value);
    } else {
      static_cast<double*>(extremes)[at] = value;
    }
  }

  __device__ __forceinline__ double extreme(const void* extremes, std::int64_t at) const {
    if constexpr (fits_float32(E::dtype)) {
      return static_cast<double>(static_cast<const float*>(extremes)[at]);
    } else {
      return static_cast<const double*>(extremes)[at];
    }
  }

  /// Notes whether a cell's mean has to be taken as defined.
  __device__ __forceinline__ void mark(std::int64_t cell, bool is_open, unsigned& open) const {
    scan_.open[first_ + cell] = is_open ? 1 : 0;
    open |= is_open ? 1U : 0U;
  }

  /// Calls `visit` with each cell that any thread has marked, in all lanes of one warp.
  template <class Visit>
  __device__ __forceinline__ void for_each_open(unsigned open, Visit visit) const {
    __shared__ unsigned any[32];
    const std::int32_t warp = thread_ / warpSize;
    const unsigned in_warp = __ballot_sync(whole_warp, open != 0 ? 1 : 0);
    if (thread_ % warpSize == 0) any[warp] = in_warp;
    __syncthreads();
    unsigned in_block = 0;
    for (int k = 0; k < threads_ / warpSize; ++k) in_block |= any[k];
    if (in_block != 0) {
      for (std::int64_t cell = warp; cell < cells_; cell += threads_ / warpSize) {
        if (scan_.open[first_ + cell] != 0) visit(cell);
      }
    }
    __syncthreads();
  }

  const ScanParams& scan_;
  const Validity* validity_;
  std::int64_t map_;
  std::int64_t cells_;
  std::int64_t first_;
  std::int32_t thread_;
  std::int32_t threads_;
};

}  // namespace percepts::cuda

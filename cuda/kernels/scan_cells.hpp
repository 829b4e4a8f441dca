#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/scan_columns.hpp"
#include "kernels/scan_params.hpp"

// From the columns of threads to the cells of a block, through shared memory.

namespace percepts::cuda {

inline constexpr unsigned whole_warp = 0xffffffffU;

/// What is in shared memory: runs, which are the columns of one thread in one cell, and edges of cells.
///
/// A row of threads has one place for each of its threads and each cell of the tile: the run of thread t in
/// the tile's cell s is at t + s. No two runs meet there, and those of one cell are side by side.
template <class E, bool careful>
class Runs {
  using Value = typename E::Value;
  using Sum = typename E::RunSum;

 public:
  __host__ __device__ static constexpr std::int32_t bytes(std::int32_t places, std::int32_t slots) {
    constexpr auto each =
        sizeof(Sum) + 2 * sizeof(Value) + sizeof(std::uint32_t) + (careful ? sizeof(double) : 0);
    return places * static_cast<std::int32_t>(each) +
           (slots + 1) * static_cast<std::int32_t>(sizeof(std::int32_t));
  }

  __device__ __forceinline__ explicit Runs(const ScanCut& cut)
      : places_(cut.row_threads * (cut.column_threads + cut.slots)) {
    // Eight bytes first: then everything is aligned.
    std::byte* at = dynamic_shared<std::byte>();
    const auto take = [&](std::size_t each) {
      std::byte* const start = at;
      at += static_cast<std::size_t>(places_) * each;
      return start;
    };
    if constexpr (careful) limited_ = reinterpret_cast<double*>(take(sizeof(double)));
    if constexpr (sizeof(Sum) == 8) sum_ = reinterpret_cast<Sum*>(take(sizeof(Sum)));
    min_ = reinterpret_cast<Value*>(take(sizeof(Value)));
    max_ = reinterpret_cast<Value*>(take(sizeof(Value)));
    if constexpr (sizeof(Sum) == 4) sum_ = reinterpret_cast<Sum*>(take(sizeof(Sum)));
    count_ = reinterpret_cast<std::uint32_t*>(take(sizeof(std::uint32_t)));
    edges_ = reinterpret_cast<std::int32_t*>(at);
  }

  /// First columns of the tile's cells, counted from the tile's first and limited to the tile.
  __device__ __forceinline__ std::int32_t* edges() const { return edges_; }

  /// Writes the columns [first, end) of a thread.
  __device__ __forceinline__ void put(std::int32_t place, const Columns<E, careful>& columns, int first,
                                      int end) const {
    Value low = E::highest;
    Value high = E::lowest;
    Sum sum = 0;
    std::uint32_t count = 0;
    double limited_sum = 0;
#pragma unroll
    for (int k = 0; k < Columns<E, careful>::count; ++k) {
      if (k < first || k >= end) continue;
      low = columns.min[k] < low ? columns.min[k] : low;
      high = high < columns.max[k] ? columns.max[k] : high;
      sum += static_cast<Sum>(columns.sum[k]);
      count += columns.valid[k];
      if constexpr (careful) limited_sum += columns.limited_sum[k];
    }
    min_[place] = low;
    max_[place] = high;
    sum_[place] = sum;
    count_[place] = count;
    if constexpr (careful) limited_[place] = limited_sum;
  }

  using Total = Partial<typename E::Total>;

  __device__ __forceinline__ static Total nothing() {
    return {.min = static_cast<double>(E::highest),
            .max = static_cast<double>(E::lowest),
            .sum = 0,
            .limited = 0,
            .count = 0};
  }

  __device__ __forceinline__ void add_to(Total& total, std::int32_t place) const {
    const auto low = static_cast<double>(min_[place]);
    const auto high = static_cast<double>(max_[place]);
    total.min = low < total.min ? low : total.min;
    total.max = total.max < high ? high : total.max;
    total.sum += static_cast<typename E::Total>(sum_[place]);
    total.count += count_[place];
    if constexpr (careful) total.limited += limited_[place];
  }

 private:
  std::int32_t places_;
  double* limited_;
  Sum* sum_;
  Value* min_;
  Value* max_;
  std::uint32_t* count_;
  std::int32_t* edges_;
};

/// A value of another lane of the same group.
__device__ __forceinline__ double from_lane(double value, int distance, int lanes) {
  return __shfl_xor_sync(whole_warp, value, distance, lanes);
}
__device__ __forceinline__ std::int64_t from_lane(std::int64_t value, int distance, int lanes) {
  return __shfl_xor_sync(whole_warp, static_cast<long long>(value), distance, lanes);
}

/// The total of a group of lanes, in all of them, with the same bits.
template <class Total>
__device__ __forceinline__ void add_up_lanes(Total& total, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    const double low = from_lane(total.min, distance, lanes);
    const double high = from_lane(total.max, distance, lanes);
    total.min = low < total.min ? low : total.min;
    total.max = total.max < high ? high : total.max;
    total.sum += from_lane(total.sum, distance, lanes);
    total.limited += from_lane(total.limited, distance, lanes);
    total.count += __shfl_xor_sync(whole_warp, total.count, distance, lanes);
  }
}

/// Which pixels a block reads.
struct BlockPlace {
  std::int64_t map;
  std::int32_t band;
  std::int32_t chunk;
  std::int32_t tile;

  __device__ BlockPlace(const ScanParams& scan, unsigned block) {
    const auto blocks = static_cast<unsigned>(scan.cut.blocks);
    map = scan.first_map + block / blocks;
    unsigned rest = block % blocks;
    tile = static_cast<std::int32_t>(rest % static_cast<unsigned>(scan.cut.tiles));
    rest /= static_cast<unsigned>(scan.cut.tiles);
    chunk = static_cast<std::int32_t>(rest % static_cast<unsigned>(scan.cut.chunks));
    band = static_cast<std::int32_t>(rest / static_cast<unsigned>(scan.cut.chunks));
  }
};

/// Reads the block's pixels and writes what each of its cells adds up to.
template <class E, bool careful>
__device__ __forceinline__ void scan_cells(const ScanParams& scan, const Validity* validity,
                                           const BlockPlace& place) {
  constexpr int columns = columns_of_thread<E>;
  const ScanCut& cut = scan.cut;
  const Runs<E, careful> runs(cut);
  std::int32_t* const edges = runs.edges();

  // The tile's columns and cells.
  const std::int64_t x0 = std::int64_t{place.tile} * cut.column_threads * columns;
  const std::int64_t most = std::int64_t{cut.column_threads} * columns;
  const auto width = static_cast<std::int32_t>(cut.extent.width - x0 < most ? cut.extent.width - x0 : most);
  const std::int32_t first_cell = cut.cols.cell_of(x0);
  const std::int32_t cells = cut.cols.cell_of(x0 + width - 1) - first_cell + 1;
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto threads = static_cast<std::int32_t>(blockDim.x);
  for (std::int32_t slot = thread; slot <= cells; slot += threads) {
    const std::int64_t edge = cut.cols.edge(first_cell + slot) - x0;
    edges[slot] = static_cast<std::int32_t>(edge < 0 ? 0 : edge < width ? edge : width);
  }

  const std::int32_t tx = thread % cut.column_threads;
  const std::int32_t ty = thread / cut.column_threads;
  const std::int32_t left = width - tx * columns;
  const bool reads = ty < cut.row_threads && left > 0;
  const int own = left < columns ? left : columns;
  Columns<E, careful> sums;
  if (reads) {
    const std::int64_t y0 = cut.rows.edge(place.band);
    const std::int64_t height = cut.rows.edge(place.band + 1) - y0;
    const ThreadRows rows{.first = y0 + cell_edge(place.chunk, height, cut.chunks) + ty,
                          .end = y0 + cell_edge(place.chunk + 1, height, cut.chunks),
                          .step = cut.row_threads};
    add_rows<E, careful>(scan.pixels, validity, place.map, rows, x0 + tx * columns, own, sums);
  }
  __syncthreads();

  if (reads) {
    std::int32_t slot = cut.cols.cell_of(x0 + tx * columns) - first_cell;
    for (int k = 0; k < own; ++slot) {
      const std::int32_t edge = edges[slot + 1] - tx * columns;
      const int end = edge < own ? edge : own;
      runs.put(ty * (cut.column_threads + cut.slots) + tx + slot, sums, k, end);
      k = end;
    }
  }
  __syncthreads();

  const auto groups = threads / cut.lanes;
  const std::int32_t lane = thread % cut.lanes;
  // All threads of a warp take part in every round.
  for (std::int32_t slot = thread / cut.lanes, round = 0; round < cells; slot += groups, round += groups) {
    auto total = Runs<E, careful>::nothing();
    if (slot < cells) {
      const std::int32_t first = edges[slot] / columns;
      const std::int32_t count = (edges[slot + 1] - 1) / columns - first + 1;
      for (std::int32_t run = lane; run < count * cut.row_threads; run += cut.lanes) {
        const std::int32_t row = run / count;
        runs.add_to(total, row * (cut.column_threads + cut.slots) + first + slot + run - row * count);
      }
    }
    add_up_lanes(total, cut.lanes);
    if (slot < cells && lane == 0) {
      using Total = typename Runs<E, careful>::Total;
      auto* const partials = reinterpret_cast<Total*>(scan.partials) + place.map * cut.partials();
      partials[cut.partial(place.band, place.chunk, first_cell + slot, place.tile)] = total;
    }
  }
}

}  // namespace percepts::cuda

#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cell_rect.hpp"
#include "kernels/depth_rule.hpp"
#include "kernels/pixels.hpp"
#include "percepts/cuda.hpp"
#include "runtime/launch.hpp"

// What the scan of maps is told. One struct, as kernels take it.

namespace percepts::cuda {

/// First pixels of cells along one axis: cell_edge(), with its divisions done once.
struct Edges {
  std::int64_t extent = 1;
  std::int64_t quotient = 1;   ///< extent / count
  std::int64_t remainder = 0;  ///< extent % count
  std::int32_t count = 1;
  bool fits_32_bits = true;  ///< all products of what follows

  __host__ __device__ std::int64_t edge(std::int64_t index) const {
    if (!fits_32_bits) return cell_edge(index, extent, count);
    const auto rest = static_cast<std::uint32_t>(index) * static_cast<std::uint32_t>(remainder);
    return index * quotient + rest / static_cast<std::uint32_t>(count);
  }

  /// The cell that holds a pixel: the last one whose edge is not behind it.
  __host__ __device__ std::int32_t cell_of(std::int64_t pixel) const {
    if (!fits_32_bits) return static_cast<std::int32_t>(((pixel + 1) * count - 1) / extent);
    const auto product = static_cast<std::uint32_t>(pixel + 1) * static_cast<std::uint32_t>(count) - 1;
    return static_cast<std::int32_t>(product / static_cast<std::uint32_t>(extent));
  }
};

/// How maps are cut into blocks of threads.
///
/// A block reads some rows (a chunk) of the rows of a row of cells (a band), and of these a tile of columns.
/// Each thread has a few adjacent columns and every `row_threads`-th row. The cut depends only on the maps'
/// shape, type and number, never on the card: that is why sums have the same bits on every card.
struct ScanCut {
  Extent extent;
  Grid grid;
  Edges rows;
  Edges cols;
  std::int32_t chunks = 1;          ///< of a band
  std::int32_t tiles = 1;           ///< of a row
  std::int32_t column_threads = 1;  ///< of a tile
  std::int32_t row_threads = 1;
  std::int32_t slots = 1;   ///< most cells that a tile touches
  std::int32_t lanes = 1;   ///< threads that add up one cell: a power of two up to a warp's
  std::int32_t blocks = 1;  ///< of a map
  std::int32_t threads = 32;

  __host__ __device__ std::int64_t cells() const { return grid.cells(); }
  /// Partial statistics of a map: each tile has its own for a cell that it shares with the one before.
  __host__ __device__ std::int64_t partials() const {
    return std::int64_t{grid.rows} * chunks * (grid.cols + tiles - 1);
  }
  __host__ __device__ std::int64_t partial(std::int64_t row, std::int64_t chunk, std::int64_t col,
                                           std::int64_t tile) const {
    return (row * chunks + chunk) * (grid.cols + tiles - 1) + col + tile;
  }
};

/// What one block knows of one cell.
template <class Total>
struct Partial {
  double min;
  double max;
  Total sum;
  double limited;  ///< sum of the values, each limited first
  std::uint32_t count;
};

/// What is made of the statistics.
enum class ScanTask : std::uint8_t {
  stats,
  signs,      ///< of means: a decision a cell
  relations,  ///< of mean readings: two decisions a cell, for its right and its lower neighbour
};

struct ScanParams {
  Pixels pixels;
  ScanCut cut;
  ScanTask task;
  std::int64_t first_map;  ///< of this launch
  DeviceStats stats;
  kernels::DepthRule rule;  ///< of relations

  double* means;           ///< mean readings, or the means whose signs are told
  std::int8_t* decisions;  ///< null for none
  double* errors;          ///< scratch, one a cell: how far the defined mean may be
  std::uint8_t* open;      ///< scratch, one a cell: its mean has to be taken as defined
  std::byte* partials;     ///< scratch, cut.partials() a map
  unsigned* arrivals;      ///< one a map, zero before and after
};

/// Which pixels are data, besides being finite, and what limits their values.
struct Validity {
  Pixels mask;  ///< one byte each; no data: all
  std::int32_t sentinel_count;
  bool limits;
  double low;
  double high;
  std::uint64_t sentinels[most_sentinels];  ///< the bits of a value each, in the lower bits
};

/// The parameters of maps of which not all pixels are data, or whose values are limited.
struct CarefulScanParams {
  ScanParams scan;
  Validity validity;
};

}  // namespace percepts::cuda

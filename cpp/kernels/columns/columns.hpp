#pragma once

#include <cstddef>
#include <cstdint>

namespace percepts::kernels {

// Kernels over column accumulators: a band of rows is read once, in memory order, into a minimum, a maximum
// and a sum for every column; the columns are then folded into the band's cells, so that cell edges cost next
// to nothing. Each instruction set has its own copy. All use one order of summation and so give the same
// bits, with and without holes: eight rows as a balanced tree, then what is left of a chunk by four, two and
// one, one group after another; columns into eight lanes of float64; chunks one after another.

/// Rows after which column sums are folded. So few float32 stay within 2^-20 of the sum of their magnitudes:
/// a tree of eight is three additions deep, and at most eight groups and three of what is left are added up.
inline constexpr std::int64_t chunk_rows = 64;

/// What a band adds up to in one cell.
struct CellTotal {
  double min;
  double max;
  double sum;              ///< of floating-point and 64-bit values
  std::int64_t whole_sum;  ///< of integers of up to 32 bits, exactly
  std::int64_t count;      ///< valid pixels
};

/// Rows of dense elements and the cells that their columns belong to.
struct Band {
  const std::byte* rows;
  std::ptrdiff_t row_stride;
  std::int64_t row_count;
  const std::int64_t* edges;  ///< first pixel of each cell, and the end: cells + 1
  std::int32_t cells;
  std::int32_t step;   ///< elements from one pixel to the next: 1, or 2 for one component of two
  std::byte* scratch;  ///< aligned to 64 bytes, scratch_bytes(elements of a row)
  CellTotal* totals;   ///< one a cell, to add to
};

/// Which pixels of a band are data, besides being finite.
struct Validity {
  const std::byte* mask;  ///< one byte a pixel; null for all
  std::ptrdiff_t mask_stride;
  const std::byte* sentinels;  ///< packed elements
  std::int64_t sentinel_count;
};

/// Kernels for one element type.
struct ElementKernels {
  /// Minimum, maximum, sum and count where every pixel is data. A NaN or an infinity leaves a sum that is not
  /// finite, and the rest of no use.
  void (*finite_stats)(const Band& band);
  /// The same of the pixels that are data; `step` is 1.
  void (*valid_stats)(const Band& band, const Validity& validity);
};

/// Kernels of one instruction set, by DType.
struct ColumnKernels {
  const char* name;
  ElementKernels elements[13];
};

/// Bytes of an array of up to eight bytes a column, and of what its vectors may stand out.
constexpr std::size_t bytes_of_column_array(std::int64_t elements) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t widest_lead = 64 * 8;  // where the columns start like the rows do
  return (static_cast<std::size_t>(elements) * 8 + widest_lead) / alignment * alignment + 4 * alignment;
}

/// Bytes of scratch for rows of so many elements.
constexpr std::size_t scratch_bytes(std::int64_t elements) { return 8 * bytes_of_column_array(elements); }

}  // namespace percepts::kernels

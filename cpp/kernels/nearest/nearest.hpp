#pragma once

#include <cstdint>

namespace percepts::kernels {

/// Magnitudes of coordinates that decisions are exact for, besides 0.
inline constexpr double smallest_coordinate = 1e-100;
inline constexpr double largest_coordinate = 1e100;

/// Squares of differences of these stay far from the end of float32's range.
inline constexpr double largest_in_float = 0x1p60;

/// What is common to all of several coordinates.
struct Range {
  bool usual;       ///< each is 0 or of a magnitude that decisions are exact for
  bool fits_float;  ///< each is a float32 of at most `largest_in_float`
};

using RangeOf = Range (*)(const double* values, std::int64_t count);

/// Points are looked through in blocks of so many.
inline constexpr std::int64_t points_of_block = 256;

/// Writes for each query the least squared distance to a point of one block, each `stride` values after the
/// last. The coordinates of the block's points are at `x` and `y`. The result is within 4 units of roundoff
/// of the exact one where nothing underflows.
template <class Real>
using BlockMinima = void (*)(const Real* x, const Real* y, const Real* query_x, const Real* query_y,
                             std::int64_t queries, Real* minima, std::int64_t stride);

/// Kernels of one instruction set.
struct NearestKernels {
  const char* name;
  RangeOf range_of;
  BlockMinima<float> in_float;
  BlockMinima<double> in_double;
};

// One translation unit each. Only those of this build's architecture are linked.
extern const NearestKernels baseline_nearest;
extern const NearestKernels avx2_nearest;
extern const NearestKernels avx512_nearest;
extern const NearestKernels neon_nearest;

/// Kernels of the instruction set that all kernels use.
const NearestKernels& nearest_kernels();

}  // namespace percepts::kernels

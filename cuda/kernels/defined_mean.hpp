#pragma once

#include <cstdint>

#include "kernels/cell_rect.hpp"
#include "kernels/load_pixels.hpp"
#include "kernels/scan_cells.hpp"
#include "kernels/scan_params.hpp"
#include "kernels/validity.hpp"

// Means of single cells as they are defined: sums in float64 of one value after the other. Slow, for what the
// bounds of a faster sum leave open.

namespace percepts::cuda {

/// The sum of `term(value)` over the valid pixels of a cell, row by row. All lanes of a warp take part, and
/// all get the sum: each loads a pixel, and then all add the pixels of all, in order.
template <class E, bool careful, class Term>
__device__ __forceinline__ double defined_sum(const ScanParams& scan, const Validity* validity,
                                              std::int64_t map, const kernels::CellRect& cell, Term term) {
  const Pixels& pixels = scan.pixels;
  const auto lane = static_cast<int>(threadIdx.x) % warpSize;
  double sum = 0;
  for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
    for (std::int64_t start = cell.x0; start < cell.x1; start += warpSize) {
      const std::int64_t x = start + lane;
      bool used = false;
      double own = 0;
      if (x < cell.x1) {
        const std::byte* const at =
            pixels.data + map * pixels.stride_map + y * pixels.stride_y + x * pixels.stride_x;
        const auto value = E::value(load_element<typename E::Bits>(at, pixels.access));
        used = is_finite<E>(value);
        if constexpr (careful) {
          const Pixels& mask = validity->mask;
          if (mask.data != nullptr) {
            used = used &&
                   mask.data[map * mask.stride_map + y * mask.stride_y + x * mask.stride_x] != std::byte{0};
          }
          used = used && !is_sentinel<E>(*validity, value);
        }
        if (used) own = term(static_cast<double>(value));
      }
      const unsigned valid = __ballot_sync(whole_warp, used ? 1 : 0);
#pragma unroll 4
      for (int k = 0; k < warpSize; ++k) {
        const double next = __shfl_sync(whole_warp, own, k);
        if ((valid >> k & 1U) != 0) sum += next;
      }
    }
  }
  return sum;
}

/// The mean of the stored values of a cell that has some.
template <class E, bool careful>
__device__ __forceinline__ double defined_mean(const ScanParams& scan, const Validity* validity,
                                               std::int64_t map, const kernels::CellRect& cell,
                                               const kernels::CellValues& values) {
  const auto count = static_cast<double>(values.count);
  // Where the plain sum overflows, exact scaling by a power of two leaves room for 2^64 summands of any size.
  double scale = 1;
  double mean = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto term = [scale](double value) { return value * scale; };
    mean = defined_sum<E, careful>(scan, validity, map, cell, term) / count / scale;
    if (is_finite<Float64>(mean)) break;
    scale = 0x1p-64;
  }
  if (scale == 1) return mean;
  return mean < values.min ? values.min : values.max < mean ? values.max : mean;
}

/// The mean of the readings of a cell that has some, each pixel mapped before it is summed.
template <class E, bool careful>
__device__ __forceinline__ double defined_mean_of_readings(const ScanParams& scan, const Validity* validity,
                                                           std::int64_t map, const kernels::CellRect& cell,
                                                           const ReadingMap& readings, std::int64_t count) {
  const auto term = [&](double value) { return reading(readings, value); };
  return defined_sum<E, careful>(scan, validity, map, cell, term) / static_cast<double>(count);
}

}  // namespace percepts::cuda

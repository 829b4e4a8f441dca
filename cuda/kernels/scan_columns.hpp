#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elements.hpp"
#include "kernels/load_pixels.hpp"
#include "kernels/scan_params.hpp"
#include "kernels/validity.hpp"

// What a thread reads: some rows of a few adjacent columns, each with its own minimum, maximum, sum and
// count, so that edges of cells cost nothing while pixels stream in.

namespace percepts::cuda {

/// Rows that one thread adds up. So few float32 stay within 2^-20 of the sum of their magnitudes.
inline constexpr int most_rows_of_thread = 16;

/// Rows whose loads are under way at once.
inline constexpr int rows_in_flight = 4;

template <class E, bool careful>
class Columns {
  using Value = typename E::Value;

 public:
  static constexpr int count = columns_of_thread<E>;

  __device__ __forceinline__ Columns() {
#pragma unroll
    for (int k = 0; k < count; ++k) {
      min[k] = E::highest;
      max[k] = E::lowest;
      sum[k] = 0;
      valid[k] = 0;
      if constexpr (careful) limited_sum[k] = 0;
    }
  }

  __device__ __forceinline__ void add(const PixelBits<E>& bits) {
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const Value value = E::value(bits[k]);
      if constexpr (E::is_real) {
        include(k, value, is_finite<E>(value));
      } else {
        include(k, value, true);
      }
    }
  }

  __device__ __forceinline__ void add(const PixelBits<E>& bits, const MaskBytes<E>& mask,
                                      const Validity& validity) {
    Value value[count];
    bool used[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
      value[k] = E::value(bits[k]);
      used[k] = mask[k] && is_finite<E>(value[k]);
    }
    for (std::int32_t index = 0; index < validity.sentinel_count; ++index) {
      const Value sentinel = sentinel_value<E>(validity, index);
#pragma unroll
      for (int k = 0; k < count; ++k) used[k] = used[k] && value[k] != sentinel;
    }
#pragma unroll
    for (int k = 0; k < count; ++k) include(k, value[k], used[k]);
    if constexpr (careful) {
      if (!validity.limits) return;
#pragma unroll
      for (int k = 0; k < count; ++k) {
        if (used[k]) limited_sum[k] += limited(validity, static_cast<double>(value[k]));
      }
    }
  }

  Value min[count];
  Value max[count];
  typename E::ColumnSum sum[count];
  std::uint32_t valid[count];
  double limited_sum[careful ? count : 1];

 private:
  __device__ __forceinline__ void include(int k, Value value, bool used) {
    const Value low = used ? value : E::highest;
    const Value high = used ? value : E::lowest;
    min[k] = low < min[k] ? low : min[k];
    max[k] = max[k] < high ? high : max[k];
    sum[k] += used ? static_cast<typename E::ColumnSum>(value) : typename E::ColumnSum{0};
    valid[k] += used ? 1U : 0U;
  }
};

/// Where a thread reads: rows from the first on, each `step` rows below the one before.
struct ThreadRows {
  std::int64_t first;
  std::int64_t end;
  std::int32_t step;
};

/// Adds the rows' pixels from column `x` on.
template <class E, bool careful>
__device__ __forceinline__ void add_rows(const Pixels& pixels, const Validity* validity, std::int64_t map,
                                         const ThreadRows& rows, std::int64_t x, int columns,
                                         Columns<E, careful>& to) {
  const std::byte* at =
      pixels.data + map * pixels.stride_map + rows.first * pixels.stride_y + x * pixels.stride_x;
  const std::int64_t down = rows.step * pixels.stride_y;
  const std::byte* mask = nullptr;
  std::int64_t mask_down = 0;
  if constexpr (careful) {
    const Pixels& all = validity->mask;
    if (all.data != nullptr) {
      mask = all.data + map * all.stride_map + rows.first * all.stride_y + x * all.stride_x;
      mask_down = rows.step * all.stride_y;
    }
  }
  for (std::int64_t y = rows.first; y < rows.end; y += rows_in_flight * rows.step) {
    PixelBits<E> bits[rows_in_flight];
    MaskBytes<E> masks[careful ? rows_in_flight : 1];
#pragma unroll
    for (int k = 0; k < rows_in_flight; ++k) {
      if (y + k * rows.step >= rows.end) continue;
      bits[k] = load_pixels<E>(pixels, at, columns);
      at += down;
      if constexpr (careful) {
        masks[k] = load_mask<E>(validity->mask, mask, columns);
        mask += mask_down;
      }
    }
#pragma unroll
    for (int k = 0; k < rows_in_flight; ++k) {
      if (y + k * rows.step >= rows.end) continue;
      if constexpr (careful) {
        to.add(bits[k], masks[k], *validity);
      } else {
        to.add(bits[k]);
      }
    }
  }
}

}  // namespace percepts::cuda

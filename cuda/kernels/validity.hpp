#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/elements.hpp"
#include "kernels/load_pixels.hpp"
#include "kernels/scan_params.hpp"

// Which pixels are data.

namespace percepts::cuda {

template <class E>
__device__ __forceinline__ bool is_finite(typename E::Value value) {
  if constexpr (E::is_real) {
    constexpr auto largest = std::numeric_limits<typename E::Value>::max();
    return value >= -largest && value <= largest;
  } else {
    return true;
  }
}

/// A sentinel as a value of the type.
template <class E>
__device__ __forceinline__ typename E::Value sentinel_value(const Validity& validity, std::int32_t index) {
  using Value = typename E::Value;
  if constexpr (sizeof(Value) == 8) {
    return std::bit_cast<Value>(validity.sentinels[index]);
  } else {
    return std::bit_cast<Value>(static_cast<std::uint32_t>(validity.sentinels[index]));
  }
}

template <class E>
__device__ __forceinline__ bool is_sentinel(const Validity& validity, typename E::Value value) {
  for (std::int32_t index = 0; index < validity.sentinel_count; ++index) {
    if (value == sentinel_value<E>(validity, index)) return true;
  }
  return false;
}

__device__ __forceinline__ double limited(const Validity& validity, double value) {
  return value < validity.low ? validity.low : validity.high < value ? validity.high : value;
}

/// Pixels of a thread in one row, and which of them the mask keeps: one byte each.
template <class E>
struct MaskBytes {
  static constexpr int columns = columns_of_thread<E>;
  static constexpr int words = columns > 4 ? 2 : 1;
  std::uint32_t word[words];

  __device__ __forceinline__ bool operator[](int column) const {
    return (word[column / 4] >> (column % 4 * 8) & 0xffU) != 0;
  }
};

/// The mask of the first `count` pixels from an address on; no address means that all are kept.
template <class E>
__device__ __forceinline__ MaskBytes<E> load_mask(const Pixels& mask, const std::byte* address, int count) {
  constexpr int columns = MaskBytes<E>::columns;
  MaskBytes<E> bytes;
#pragma unroll
  for (int k = 0; k < MaskBytes<E>::words; ++k) bytes.word[k] = address == nullptr ? 0x01010101U : 0;
  if (address == nullptr) return bytes;
  if (mask.access != Access::by_bytes && count == columns) {
    if constexpr (columns == 8) {
      const uint2 two = *reinterpret_cast<const uint2*>(address);
      bytes.word[0] = two.x;
      bytes.word[1] = two.y;
    } else if constexpr (columns == 4) {
      bytes.word[0] = *reinterpret_cast<const std::uint32_t*>(address);
    } else {
      bytes.word[0] = *reinterpret_cast<const std::uint16_t*>(address);
    }
    return bytes;
  }
#pragma unroll
  for (int k = 0; k < columns; ++k) {
    if (k < count) {
      bytes.word[k / 4] |= static_cast<std::uint32_t>(address[k * mask.stride_x]) << (k % 4 * 8);
    }
  }
  return bytes;
}

}  // namespace percepts::cuda

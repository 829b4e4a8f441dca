#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/pixels.hpp"
#include "runtime/launch.hpp"

// Loads of neighbouring pixels of a row.

namespace percepts::cuda {

/// Adjacent columns that one thread reads: up to 16 bytes, but no more than eight columns.
template <class E>
inline constexpr int columns_of_thread = E::size >= 2 ? 16 / E::size : 8;

/// The bits of a thread's pixels of one row.
template <class E>
struct PixelBits {
  static constexpr int columns = columns_of_thread<E>;
  static constexpr int words = columns * E::size / 4;
  std::uint32_t word[words];

  __device__ __forceinline__ typename E::Bits operator[](int column) const {
    if constexpr (E::size == 8) {
      return word[2 * column] | static_cast<std::uint64_t>(word[2 * column + 1]) << 32;
    } else if constexpr (E::size == 4) {
      return word[column];
    } else {
      constexpr int each = 4 / E::size;
      return static_cast<typename E::Bits>(word[column / each] >> (column % each * E::size * 8));
    }
  }

  __device__ __forceinline__ void set(int column, typename E::Bits bits) {
    if constexpr (E::size == 8) {
      word[2 * column] = static_cast<std::uint32_t>(bits);
      word[2 * column + 1] = static_cast<std::uint32_t>(bits >> 32);
    } else if constexpr (E::size == 4) {
      word[column] = bits;
    } else {
      constexpr int each = 4 / E::size;
      word[column / each] |= static_cast<std::uint32_t>(bits) << (column % each * E::size * 8);
    }
  }
};

/// One element.
template <class Bits>
__device__ __forceinline__ Bits load_element(const std::byte* address, Access access) {
  if (access != Access::by_bytes) return *reinterpret_cast<const Bits*>(address);
  Bits bits = 0;
#pragma unroll
  for (std::size_t k = 0; k < sizeof(Bits); ++k) {
    bits = static_cast<Bits>(bits | static_cast<Bits>(static_cast<Bits>(address[k]) << (8 * k)));
  }
  return bits;
}

/// The first `count` pixels from an address on; the others are zero.
template <class E>
__device__ __forceinline__ PixelBits<E> load_pixels(const Pixels& pixels, const std::byte* address,
                                                    int count) {
  PixelBits<E> bits;
  constexpr int words = PixelBits<E>::words;
  if (pixels.access <= Access::by_4_bytes && count == PixelBits<E>::columns) {
    if constexpr (words == 4) {
      if (pixels.access == Access::by_16_bytes) {
        const uint4 four = *reinterpret_cast<const uint4*>(address);
        bits.word[0] = four.x;
        bits.word[1] = four.y;
        bits.word[2] = four.z;
        bits.word[3] = four.w;
        return bits;
      }
    }
    if (pixels.access <= Access::by_8_bytes) {
#pragma unroll
      for (int k = 0; k < words; k += 2) {
        const uint2 two = *reinterpret_cast<const uint2*>(address + 4 * k);
        bits.word[k] = two.x;
        bits.word[k + 1] = two.y;
      }
      return bits;
    }
#pragma unroll
    for (int k = 0; k < words; ++k) bits.word[k] = *reinterpret_cast<const std::uint32_t*>(address + 4 * k);
    return bits;
  }
#pragma unroll
  for (int k = 0; k < words; ++k) bits.word[k] = 0;
#pragma unroll
  for (int k = 0; k < PixelBits<E>::columns; ++k) {
    if (k < count) {
      bits.set(k, load_element<typename E::Bits>(address + k * pixels.stride_x, pixels.access));
    }
  }
  return bits;
}

}  // namespace percepts::cuda

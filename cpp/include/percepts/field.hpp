#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "percepts/dtype.hpp"

namespace percepts {

/// Height and width of a map, in pixels.
struct Extent {
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// Pixels to use: one byte each, zero means "leave out". No data means that every pixel may be used.
struct Mask {
  const std::byte* data = nullptr;
  std::ptrdiff_t stride_y = 0;  ///< bytes from one row to the next
  std::ptrdiff_t stride_x = 0;  ///< bytes from one pixel to the next
};

/// A view of one H×W map in memory that belongs to somebody else. Strides are in bytes and may be negative or
/// zero; elements need not be aligned. NaN and infinities, pixels that the mask leaves out and pixels equal
/// to a sentinel are invalid: no statistic sees them.
struct Field {
  const std::byte* data = nullptr;  ///< the first pixel
  DType dtype = DType::float32;
  Extent extent;
  std::ptrdiff_t stride_y = 0;  ///< bytes from one row to the next
  std::ptrdiff_t stride_x = 0;  ///< bytes from one pixel to the next
  Mask mask;                    ///< of the same extent
  /// Sentinels: packed elements of `dtype`, compared as such.
  std::span<const std::byte> sentinels;
};

/// A view of a dense C-contiguous map, the most common case. Mask and sentinels may be set afterwards.
template <Element T>
Field dense_field(const T* data, Extent extent) {
  constexpr auto element = static_cast<std::ptrdiff_t>(sizeof(T));
  return {.data = reinterpret_cast<const std::byte*>(data),
          .dtype = dtype_of<T>(),
          .extent = extent,
          .stride_y = element * static_cast<std::ptrdiff_t>(extent.width),
          .stride_x = element,
          .mask = {},
          .sentinels = {}};
}

/// Throws InvalidArgument unless the bytes of the sentinels are whole elements of the field's dtype.
void check_sentinels(const Field& field);

}  // namespace percepts

#pragma once

#include <cstddef>

#include "percepts/dtype.hpp"
#include "percepts/field.hpp"

namespace percepts {

/// A view of an image in memory that belongs to somebody else: grey, or red, green and blue. Elements are
/// uint8, or floating point in [0, 1]. Strides are in bytes and may be negative or zero; elements need not be
/// aligned.
struct Image {
  const std::byte* data = nullptr;  ///< the first pixel's first channel
  DType dtype = DType::uint8;
  Extent extent;
  int channels = 1;                   ///< 1 or 3
  std::ptrdiff_t stride_y = 0;        ///< bytes from one row to the next
  std::ptrdiff_t stride_x = 0;        ///< bytes from one pixel to the next
  std::ptrdiff_t stride_channel = 0;  ///< bytes from one channel to the next
};

/// A view of a dense C-contiguous image with the channels last.
template <Element T>
Image dense_image(const T* data, Extent extent, int channels) {
  constexpr auto element = static_cast<std::ptrdiff_t>(sizeof(T));
  return {.data = reinterpret_cast<const std::byte*>(data),
          .dtype = dtype_of<T>(),
          .extent = extent,
          .channels = channels,
          .stride_y = element * channels * static_cast<std::ptrdiff_t>(extent.width),
          .stride_x = element * channels,
          .stride_channel = element};
}

}  // namespace percepts

#include "src/maps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/element.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts::cuda {
namespace {

/// The largest power of two, up to 16, that the addresses of all first pixels of rows are multiples of.
std::int64_t alignment_of(const Pixels& pixels, const Extent& extent, std::int64_t maps) {
  auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pixels.data)) | 16;
  if (extent.height > 1) bits |= static_cast<std::uint64_t>(pixels.stride_y);
  if (maps > 1) bits |= static_cast<std::uint64_t>(pixels.stride_map);
  return std::int64_t{1} << std::countr_zero(bits);
}

/// Sets how rows of these elements are read.
Pixels with_access(Pixels pixels, std::int64_t element, const Extent& extent, std::int64_t maps,
                   std::int64_t columns) {
  if (extent.width == 1) pixels.stride_x = element;
  const std::int64_t alignment = alignment_of(pixels, extent, maps);
  if (pixels.stride_x != element) {
    const std::int64_t steps = std::int64_t{1}
                               << std::countr_zero(static_cast<std::uint64_t>(pixels.stride_x) | 16);
    pixels.access = std::min(alignment, steps) >= element ? Access::by_elements : Access::by_bytes;
    return pixels;
  }
  const std::int64_t piece = std::min(alignment, columns * element);
  pixels.access = piece >= 16        ? Access::by_16_bytes
                  : piece >= 8       ? Access::by_8_bytes
                  : piece >= 4       ? Access::by_4_bytes
                  : piece >= element ? Access::by_elements
                                     : Access::by_bytes;
  return pixels;
}

/// A value as the bits that a device compares.
template <class Value>
std::uint64_t bits_of(Value value) {
  if constexpr (std::is_same_v<Value, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::is_same_v<Value, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

void put_sentinels(const Maps& maps, Validity& validity) {
  kernels::visit_element(maps.dtype, [&]<class Element>(Element) {
    for (std::size_t at = 0; at + Element::size <= maps.sentinels.size(); at += Element::size) {
      const auto value = Element::load(maps.sentinels.data() + at);
      // What is not finite is no data anyway.
      if (!kernels::is_data(value)) continue;
      validity.sentinels[validity.sentinel_count++] = bits_of(value);
    }
  });
}

}  // namespace

void check_count(std::int64_t maps) {
  if (maps < 0) throw InvalidArgument(message("there must be at least 0 maps, got ", maps));
}

void check_count(std::int64_t maps, const Grid& grid) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / sizeof(double);
  check_count(maps);
  if (maps <= most / grid.cells()) return;
  throw InvalidArgument(message("maps on a device may not be so many, got ", maps, " with a grid of ",
                                grid.rows, "x", grid.cols));
}

void check_maps(const Maps& maps) {
  check_count(maps.count);
  const std::size_t sentinels = maps.sentinels.size() / size_of(maps.dtype);
  if (sentinels > most_sentinels) {
    throw InvalidArgument(
        message("maps on a device may have at most ", most_sentinels, " sentinels, got ", sentinels));
  }
}

Pixels pixels_of(const Maps& maps, std::int64_t columns) {
  const Pixels pixels{.data = maps.data,
                      .stride_map = maps.stride_map,
                      .stride_y = maps.stride_y,
                      .stride_x = maps.stride_x,
                      .access = Access::by_bytes};
  return with_access(pixels, static_cast<std::int64_t>(size_of(maps.dtype)), maps.extent, maps.count,
                     columns);
}

Pixels mask_of(const Maps& maps, std::int64_t columns) {
  const Pixels mask{.data = maps.mask.data,
                    .stride_map = maps.mask_stride_map,
                    .stride_y = maps.mask.stride_y,
                    .stride_x = maps.mask.stride_x,
                    .access = Access::by_bytes};
  if (mask.data == nullptr) return mask;
  Pixels read = with_access(mask, 1, maps.extent, maps.count, columns);
  // A mask is read in pieces of just as many pixels, or else byte by byte.
  const bool whole = read.stride_x == 1 && alignment_of(read, maps.extent, maps.count) >= columns;
  read.access = whole ? Access::by_elements : Access::by_bytes;
  return read;
}

Validity validity_of(const Maps& maps, std::int64_t columns) {
  Validity validity{};
  validity.mask = mask_of(maps, columns);
  put_sentinels(maps, validity);
  return validity;
}

bool is_plain(const Validity& validity) {
  return validity.mask.data == nullptr && validity.sentinel_count == 0 && !validity.limits;
}

}  // namespace percepts::cuda

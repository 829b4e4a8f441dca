#pragma once

#include <cstddef>
#include <cstdint>

// Pixels of maps in device memory.

namespace percepts::cuda {

/// How the pixels of a row lie in memory, decided once a launch.
enum class Access : std::uint8_t {
  by_16_bytes,  ///< side by side, and aligned to as much
  by_8_bytes,
  by_4_bytes,
  by_elements,  ///< strided, each element aligned
  by_bytes,     ///< elements are not aligned
};

/// Pixels of maps in device memory. Strides are in bytes.
struct Pixels {
  const std::byte* data;
  std::int64_t stride_map;
  std::int64_t stride_y;
  std::int64_t stride_x;
  Access access;
};

}  // namespace percepts::cuda

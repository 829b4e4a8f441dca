#pragma once

#include <cstddef>
#include <cstdint>

namespace percepts::cuda::emulation {

// Memory that nobody has written yet: as float32, a number near -2.9e-16; as an index, far out.
constexpr int poison_byte = 0xA5;
// Around memory; nobody may write it.
constexpr int zone_byte = 0x5B;

inline bool holds_only(const std::byte* begin, std::size_t bytes, int value) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (begin[i] != static_cast<std::byte>(value)) return false;
  }
  return true;
}

}  // namespace percepts::cuda::emulation

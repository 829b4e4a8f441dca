#pragma once

#include <bit>
#include <cstdint>

// Floats of 16 bits as float32, which holds each of them exactly; on the host and on a device.

namespace percepts::kernels {

/// The value of an IEEE binary16.
constexpr float float_of_float16(std::uint16_t stored) {
  const std::uint32_t bits = stored;
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: a multiple of 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 0x1fu ? 0xffu : exponent + 112;
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

/// The value of a bfloat16.
constexpr float float_of_bfloat16(std::uint16_t stored) {
  return std::bit_cast<float>(std::uint32_t{stored} << 16);
}

}  // namespace percepts::kernels

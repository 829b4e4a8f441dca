#pragma once

#include <cstdint>

#include "percepts/dtype.hpp"

namespace percepts::kernels {

/// Whether sums of this type are exact: integers of up to 32 bits.
constexpr bool sums_exactly(DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::int8:
    case DType::uint8:
    case DType::int16:
    case DType::uint16:
    case DType::int32:
    case DType::uint32:
      return true;
    default:
      return false;
  }
}

constexpr double magnitude(double value) { return value < 0 ? -value : value; }

/// The larger magnitude; NaN where it is the first one's.
constexpr double largest_magnitude(double a, double b) {
  return magnitude(a) < magnitude(b) ? magnitude(b) : magnitude(a);
}

/// How far a mean may be from the one that modalities define (the sum in float64, one value after the other).
/// Sums of float32 of a kernel stay within 2^-20 of the sum of the magnitudes (columns.hpp); all that is
/// added in float64, by the kernel and by the definition, within count·2^-53 each.
constexpr double mean_error(DType dtype, double min, double max, std::int64_t count) {
  if (sums_exactly(dtype)) return 0;
  const bool in_float32 = dtype == DType::float32 || dtype == DType::float16 || dtype == DType::bfloat16;
  const double relative = (in_float32 ? 0x1p-20 : 0) + static_cast<double>(count) * 0x1p-51;
  return relative * largest_magnitude(min, max);
}

}  // namespace percepts::kernels

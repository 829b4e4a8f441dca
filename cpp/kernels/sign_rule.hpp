#pragma once

#include <cstdint>

#include "kernels/mean_error.hpp"

// When the sign of a mean is certain; on the host and on a device.

namespace percepts::kernels {

/// Whether rounding leaves the sign of a cell's mean open.
constexpr bool sign_is_open(DType dtype, double min, double max, double mean, std::int64_t count) {
  if (count == 0) return false;
  const double error = mean_error(dtype, min, max, count);
  // Not "<=": a bound that is not a number leaves the sign open.
  return error != 0 && !(magnitude(mean) > error);
}

/// -1 below zero, else +1; 0 for the mean of no pixel, which is NaN.
constexpr std::int8_t sign_of_mean(double mean) {
  return mean != mean ? std::int8_t{0} : mean < 0 ? std::int8_t{-1} : std::int8_t{1};
}

}  // namespace percepts::kernels

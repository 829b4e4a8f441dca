#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernels/half_floats.hpp"
#include "percepts/dtype.hpp"

namespace percepts::kernels {

/// An element that is stored as `Value`. Loads go through memcpy: elements of a view need not be aligned.
template <class T>
struct Stored {
  using Value = T;
  static constexpr std::size_t size = sizeof(T);

  static Value load(const std::byte* address) {
    T value;
    std::memcpy(&value, address, sizeof value);
    return value;
  }
};

struct Boolean {
  using Value = std::uint8_t;
  static constexpr std::size_t size = 1;

  static Value load(const std::byte* address) { return *address != std::byte{0} ? 1 : 0; }
};

struct Float16 {
  using Value = float;
  static constexpr std::size_t size = 2;

  static Value load(const std::byte* address) {
    return float_of_float16(Stored<std::uint16_t>::load(address));
  }
};

struct BFloat16 {
  using Value = float;
  static constexpr std::size_t size = 2;

  static Value load(const std::byte* address) {
    return float_of_bfloat16(Stored<std::uint16_t>::load(address));
  }
};

/// What the values are summed in: integers of up to 32 bits exactly (a cell has fewer than 2^31 pixels), all
/// others in float64.
template <class Value>
using SumOf = std::conditional_t<std::is_floating_point_v<Value> || sizeof(Value) == 8, double,
                                 std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>>;

template <class Value>
bool is_data(Value value) {
  if constexpr (std::is_floating_point_v<Value>) {
    return std::isfinite(value);
  } else {
    static_cast<void>(value);
    return true;
  }
}

/// Calls `visitor` with the element type of `dtype`.
template <class Visitor>
decltype(auto) visit_element(DType dtype, Visitor&& visitor) {
  switch (dtype) {
    case DType::boolean:
      return visitor(Boolean{});
    case DType::int8:
      return visitor(Stored<std::int8_t>{});
    case DType::uint8:
      return visitor(Stored<std::uint8_t>{});
    case DType::int16:
      return visitor(Stored<std::int16_t>{});
    case DType::uint16:
      return visitor(Stored<std::uint16_t>{});
    case DType::int32:
      return visitor(Stored<std::int32_t>{});
    case DType::uint32:
      return visitor(Stored<std::uint32_t>{});
    case DType::int64:
      return visitor(Stored<std::int64_t>{});
    case DType::uint64:
      return visitor(Stored<std::uint64_t>{});
    case DType::float16:
      return visitor(Float16{});
    case DType::bfloat16:
      return visitor(BFloat16{});
    case DType::float32:
      return visitor(Stored<float>{});
    case DType::float64:
      break;
  }
  return visitor(Stored<double>{});
}

}  // namespace percepts::kernels

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace percepts {

/// Element type of an array. `boolean` is one byte, zero or not; `float16` is IEEE binary16.
enum class DType : std::uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
};

/// The numbers of C++ that an array may hold: bool, integers, float and double.
template <class T>
concept Element = std::is_arithmetic_v<T> && sizeof(T) <= 8;

/// The element type that stands for a number of C++. float16 and bfloat16 have none; name them yourself.
template <Element T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>) return DType::boolean;
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? DType::float32 : DType::float64;
  constexpr bool is_signed = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return is_signed ? DType::int8 : DType::uint8;
    case 2:
      return is_signed ? DType::int16 : DType::uint16;
    case 4:
      return is_signed ? DType::int32 : DType::uint32;
    default:
      return is_signed ? DType::int64 : DType::uint64;
  }
}

/// Bytes of one element.
constexpr std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::int8:
    case DType::uint8:
      return 1;
    case DType::int16:
    case DType::uint16:
    case DType::float16:
    case DType::bfloat16:
      return 2;
    case DType::int32:
    case DType::uint32:
    case DType::float32:
      return 4;
    case DType::int64:
    case DType::uint64:
    case DType::float64:
      return 8;
  }
  return 0;
}

/// What unsigned integers are divided by where they stand for 0 to 1: their type's maximum. 1 for other
/// types.
constexpr double full_scale(DType dtype) {
  switch (dtype) {
    case DType::uint8:
      return std::numeric_limits<std::uint8_t>::max();
    case DType::uint16:
      return std::numeric_limits<std::uint16_t>::max();
    case DType::uint32:
      return std::numeric_limits<std::uint32_t>::max();
    case DType::uint64:
      return static_cast<double>(std::numeric_limits<std::uint64_t>::max());
    default:
      return 1;
  }
}

/// NumPy's name of the type, such as "float32".
constexpr std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return "bool";
    case DType::int8:
      return "int8";
    case DType::uint8:
      return "uint8";
    case DType::int16:
      return "int16";
    case DType::uint16:
      return "uint16";
    case DType::int32:
      return "int32";
    case DType::uint32:
      return "uint32";
    case DType::int64:
      return "int64";
    case DType::uint64:
      return "uint64";
    case DType::float16:
      return "float16";
    case DType::bfloat16:
      return "bfloat16";
    case DType::float32:
      return "float32";
    case DType::float64:
      return "float64";
  }
  return "unknown";
}

}  // namespace percepts

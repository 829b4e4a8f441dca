#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

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

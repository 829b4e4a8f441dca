#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/half_floats.hpp"
#include "percepts/dtype.hpp"
#include "runtime/launch.hpp"

// Element types on a device: how each is stored, compared and summed.

namespace percepts::cuda {

/// An element that is stored as `BitsType` and compared as `ValueType`. Few values of a column are summed as
/// `ColumnSumType`, the columns of a thread as `RunSumType`, a cell as `TotalType`.
template <DType type, class BitsType, class ValueType, class ColumnSumType, class RunSumType, class TotalType>
struct ElementOf {
  static constexpr DType dtype = type;
  using Bits = BitsType;
  using Value = ValueType;
  using ColumnSum = ColumnSumType;
  using RunSum = RunSumType;
  using Total = TotalType;
  static constexpr bool is_real = std::is_floating_point_v<Value>;
  static constexpr int size = sizeof(Bits);

  __device__ __forceinline__ static Value value(Bits bits) {
    constexpr bool keeps_sign = std::is_signed_v<Value> && type != DType::uint8 && type != DType::uint16;
    if constexpr (type == DType::boolean) {
      return bits != 0 ? 1 : 0;
    } else if constexpr (type == DType::float16) {
      return value_of_half(bits);
    } else if constexpr (type == DType::bfloat16) {
      return kernels::float_of_bfloat16(bits);
    } else if constexpr (is_real) {
      return std::bit_cast<Value>(bits);
    } else if constexpr (keeps_sign) {
      return static_cast<Value>(static_cast<std::make_signed_t<Bits>>(bits));
    } else {
      return static_cast<Value>(bits);
    }
  }

  /// What no minimum and no maximum are.
  static constexpr Value highest =
      is_real ? std::numeric_limits<Value>::infinity() : std::numeric_limits<Value>::max();
  static constexpr Value lowest =
      is_real ? -std::numeric_limits<Value>::infinity() : std::numeric_limits<Value>::lowest();

 private:
  __device__ __forceinline__ static float value_of_half(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
    float value;  // one instruction, as exact
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#else
    return kernels::float_of_float16(bits);
#endif
  }
};

// Integers of 8 and 16 bits: so few are added up that 32 bits hold the sums of a thread.
using Boolean =
    ElementOf<DType::boolean, std::uint8_t, std::int32_t, std::int32_t, std::int32_t, std::int64_t>;
using Int8 = ElementOf<DType::int8, std::uint8_t, std::int32_t, std::int32_t, std::int32_t, std::int64_t>;
using UInt8 = ElementOf<DType::uint8, std::uint8_t, std::int32_t, std::int32_t, std::int32_t, std::int64_t>;
using Int16 = ElementOf<DType::int16, std::uint16_t, std::int32_t, std::int32_t, std::int32_t, std::int64_t>;
using UInt16 =
    ElementOf<DType::uint16, std::uint16_t, std::int32_t, std::int32_t, std::int32_t, std::int64_t>;
using Int32 = ElementOf<DType::int32, std::uint32_t, std::int32_t, std::int64_t, std::int64_t, std::int64_t>;
using UInt32 =
    ElementOf<DType::uint32, std::uint32_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t>;
using Int64 = ElementOf<DType::int64, std::uint64_t, std::int64_t, double, double, double>;
using UInt64 = ElementOf<DType::uint64, std::uint64_t, std::uint64_t, double, double, double>;
using Float16 = ElementOf<DType::float16, std::uint16_t, float, float, double, double>;
using BFloat16 = ElementOf<DType::bfloat16, std::uint16_t, float, float, double, double>;
using Float32 = ElementOf<DType::float32, std::uint32_t, float, float, double, double>;
using Float64 = ElementOf<DType::float64, std::uint64_t, double, double, double, double>;

}  // namespace percepts::cuda

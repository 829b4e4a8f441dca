#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/element.hpp"

namespace percepts::kernels {

/// An element as an integer of the same size that is in the same order as the values. Integers are their own
/// keys.
template <class Element>
struct OrderedKey {
  using Key = typename Element::Value;

  static Key load(const std::byte* address) { return Element::load(address); }
  static bool is_data(Key) { return true; }
  static double value_of(Key key) { return static_cast<double>(key); }
};

/// Keys of floating-point numbers: their bits, of which those of negative numbers are turned around. −0 comes
/// before 0, what is not finite at either end.
template <class Element, class Bits, Bits infinity>
struct FloatingKey {
  using Key = Bits;

  static Key load(const std::byte* address) { return turned(Stored<Bits>::load(address)); }
  static bool is_data(Key key) { return (turned(key) & infinity) != infinity; }

  static double value_of(Key key) {
    const Bits bits = turned(key);
    std::byte element[sizeof bits];
    std::memcpy(element, &bits, sizeof bits);
    return static_cast<double>(Element::load(element));
  }

 private:
  static Bits turned(Bits bits) {
    constexpr int sign = 8 * sizeof(Bits) - 1;
    return static_cast<Bits>(bits ^ ((bits >> sign) & std::numeric_limits<Bits>::max()));
  }
};

template <>
struct OrderedKey<Float16> : FloatingKey<Float16, std::int16_t, 0x7C00> {};

template <>
struct OrderedKey<BFloat16> : FloatingKey<BFloat16, std::int16_t, 0x7F80> {};

template <>
struct OrderedKey<Stored<float>> : FloatingKey<Stored<float>, std::int32_t, 0x7F800000> {};

template <>
struct OrderedKey<Stored<double>> : FloatingKey<Stored<double>, std::int64_t, 0x7FF0000000000000> {};

}  // namespace percepts::kernels

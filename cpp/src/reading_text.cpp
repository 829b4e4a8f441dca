#include "src/reading_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "src/number_text.hpp"

// `%.4g` of a float32 without an inexact step.
//
// A float32 is m·2^e with a whole m below 2^24. Its first four digits are those of the whole number nearest
// to x·10^k = m·5^k·2^(e+k), for the k that brings this between 1000 and 10000. That is taken here as a
// fixed-point number with `point` bits behind the point: m times the multiplier 5^k·2^(e+k+point). For
// readings from 2^-40 to 9999.5 each multiplier is a whole number, and each product fits 64 bits, none of
// which is lost (the static_assert below checks both for every exponent). So there is one rounding, of the
// exact value, half to even; and that is what printf does. All other readings go through std::to_chars.

namespace percepts {
namespace {

constexpr int point = 49;
constexpr int mantissa_bits = 23;
constexpr int exponent_bias = 127;
constexpr std::uint32_t implicit_bit = 1U << mantissa_bits;
constexpr std::uint32_t smallest = std::bit_cast<std::uint32_t>(0x1p-40F);
constexpr std::uint32_t end = std::bit_cast<std::uint32_t>(9999.5F);

/// floor(log10(2^exponent)) for all exponents of float32.
constexpr int floor_log10(int exponent) { return (exponent * 78913) >> 18; }

/// 5^k·2^(e+k+point), or 0 where that is not a whole number.
constexpr std::uint64_t multiplier(int e, int k) {
  if (k < 0 || e + k + point < 0) return 0;
  std::uint64_t product = 1;
  for (int times = 0; times < k; ++times) product *= 5;
  return product << (e + k + point);
}

/// How readings with the same binary exponent become decimal. Of the two multipliers the second, with one
/// digit less behind the point, is for readings that the first would make 10000 or more.
struct Scale {
  std::array<std::uint64_t, 2> multipliers{};
  int decimal_exponent = 0;  ///< of what the first makes
};

constexpr auto scales = [] {
  std::array<Scale, (end >> mantissa_bits) - (smallest >> mantissa_bits) + 1> all;
  int exponent = static_cast<int>(smallest >> mantissa_bits) - exponent_bias;
  for (Scale& scale : all) {
    const int e = exponent - mantissa_bits;
    const int decimal = floor_log10(exponent);
    scale = {{multiplier(e, 3 - decimal), multiplier(e, 2 - decimal)}, decimal};
    ++exponent;
  }
  return all;
}();

constexpr std::uint64_t smallest_m = implicit_bit;
constexpr std::uint64_t largest_m = 2 * implicit_bit - 1;
constexpr std::uint64_t thousand = std::uint64_t{1000} << point;
constexpr std::uint64_t rounds_to_10000 = std::uint64_t{2 * 9999 + 1} << (point - 1);

/// Whether the argument above holds for all readings with this scale. With the last, none is as large as
/// 9999.5.
constexpr bool is_exact(const Scale& scale) {
  const auto [first, second] = scale.multipliers;
  const bool fits = first <= std::numeric_limits<std::uint64_t>::max() / largest_m;
  const bool has_four_digits = smallest_m * first >= thousand;
  const bool needs_second = largest_m * first >= rounds_to_10000 && &scale != &scales.back();
  return first != 0 && fits && has_four_digits && (!needs_second || 10 * second == first);
}
static_assert(std::all_of(scales.begin(), scales.end(), is_exact));

/// A number as d.ddd·10^exponent.
struct Decimal {
  std::uint32_t digits = 0;  ///< 1000 to 9999
  int exponent = 0;
};

/// The nearest whole number, of two the even one.
constexpr std::uint64_t rounded(std::uint64_t fixed) {
  constexpr std::uint64_t below_half = (std::uint64_t{1} << (point - 1)) - 1;
  return (fixed + below_half + ((fixed >> point) & 1)) >> point;
}

/// The positive reading with these bits, from `smallest` to `end`.
Decimal decimal_of(std::uint32_t bits) {
  const std::uint64_t m = (bits & (implicit_bit - 1)) | implicit_bit;
  const Scale& scale = scales[(bits >> mantissa_bits) - (smallest >> mantissa_bits)];
  const bool second = m * scale.multipliers[0] >= rounds_to_10000;
  return {static_cast<std::uint32_t>(rounded(m * scale.multipliers[second])),
          scale.decimal_exponent + second};
}

constexpr auto digit_pairs = [] {
  std::array<std::array<char, 2>, 100> pairs{};
  for (std::size_t number = 0; number < pairs.size(); ++number) {
    pairs[number] = {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
  }
  return pairs;
}();

/// Four digits as they stand in memory.
using Digits = std::uint32_t;

Digits digits_of(std::uint32_t number) {
  Digits digits = 0;
  std::array<char, sizeof digits> text;
  std::memcpy(text.data(), digit_pairs[number / 100].data(), 2);
  std::memcpy(text.data() + 2, digit_pairs[number % 100].data(), 2);
  std::memcpy(&digits, text.data(), sizeof digits);
  return digits;
}

/// The digits after the first `count`, which is below 4.
constexpr Digits without_first(Digits digits, int count) {
  return std::endian::native == std::endian::little ? digits >> (8 * count) : digits << (8 * count);
}

/// How many digits of each pair are left when zeros at the end are dropped.
constexpr auto significant_of_pair = [] {
  std::array<std::uint8_t, 100> counts{};
  for (std::size_t number = 1; number < counts.size(); ++number) counts[number] = number % 10 == 0 ? 1 : 2;
  return counts;
}();

int significant_digits(std::uint32_t number) {
  const std::uint32_t low = number % 100;
  return low == 0 ? significant_of_pair[number / 100] : 2 + significant_of_pair[low];
}

/// Below 1: `0.0ddd`.
char* write_fraction(char* to, Digits digits, int significant, int exponent) {
  std::memcpy(to, "0.000000", 8);
  char* const first = to + 1 - exponent;
  std::memcpy(first, &digits, 4);
  return first + significant;
}

/// From 1 on: `dd.dd`.
char* write_mixed(char* to, Digits digits, int significant, int exponent) {
  const int whole = exponent + 1;
  std::memcpy(to, &digits, 4);
  if (significant <= whole) return to + whole;
  const Digits rest = without_first(digits, whole);
  to[whole] = '.';
  std::memcpy(to + whole + 1, &rest, 4);
  return to + significant + 1;
}

/// Below 0.0001: `d.ddde-dd`, with at least one digit behind the point.
char* write_scientific(char* to, Digits digits, int significant, int exponent) {
  std::memcpy(to + 1, &digits, 4);
  to[0] = to[1];
  to[1] = '.';
  to += significant == 1 ? 3 : significant + 1;
  to[0] = 'e';
  to[1] = '-';
  std::memcpy(to + 2, digit_pairs[static_cast<std::size_t>(-exponent)].data(), 2);
  return to + 4;
}

}  // namespace

char* write_reading(char* to, float reading) {
  const auto bits = std::bit_cast<std::uint32_t>(reading);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude == 0) {
    *to = '0';
    return to + 1;
  }
  if (magnitude < smallest || magnitude >= end) {
    return write_general(to, static_cast<double>(reading), reading_precision);
  }
  *to = '-';
  to += magnitude != bits;
  const auto [number, exponent] = decimal_of(magnitude);
  const Digits digits = digits_of(number);
  const int significant = significant_digits(number);
  if (exponent < -4) return write_scientific(to, digits, significant, exponent);
  if (exponent < 0) return write_fraction(to, digits, significant, exponent);
  return write_mixed(to, digits, significant, exponent);
}

}  // namespace percepts

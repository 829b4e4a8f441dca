#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "percepts/program.hpp"

namespace percepts {

/// Appends a finite number as C's printf prints it with `%.<precision>g` in the C locale, except that a bare
/// exponent gets a fraction (YAML 1.1 reads `1e-05` as text) and that −0 is 0.
void append_general(std::string& out, double value, int precision);

/// Appends a finite reading in this format.
void append_real(std::string& out, float value, NumberFormat format);

/// Appends a whole number.
void append_integer(std::string& out, std::int64_t value);

// The same through plain pointers: each writes at `to`, where there is the room that it needs, and returns
// the end of its text. What follows that end within the room is overwritten, too.

inline constexpr std::size_t general_room = 32;
inline constexpr std::size_t integer_room = 24;

char* write_general(char* to, double value, int precision);

namespace digits {

/// The largest number that has its text in a table: canonical coordinates end there.
inline constexpr std::int64_t largest_tabled = 1000;

/// Numbers from 0 to 1000, from the left, four characters each.
inline constexpr auto table = [] {
  std::array<std::array<char, 4>, largest_tabled + 1> texts{};
  for (std::size_t number = 0; number < texts.size(); ++number) {
    std::size_t length = number > 999 ? 4 : number > 99 ? 3 : number > 9 ? 2 : 1;
    for (std::size_t rest = number; length > 0; rest /= 10) {
      texts[number][--length] = static_cast<char>('0' + rest % 10);
    }
  }
  return texts;
}();

char* write_long(char* to, std::int64_t value);

}  // namespace digits

inline char* write_integer(char* to, std::int64_t value) {
  if (value < 0 || value > digits::largest_tabled) return digits::write_long(to, value);
  std::memcpy(to, digits::table[static_cast<std::size_t>(value)].data(), 4);
  return to + 1 + (value > 9) + (value > 99) + (value > 999);
}

}  // namespace percepts

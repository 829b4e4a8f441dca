#pragma once

#include <array>
#include <charconv>
#include <string>

/// What a number with four significant digits prints as, by the standard library and the rules of the format.
inline std::string expected_number(double value) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value == 0 ? 0.0 : value,
                                 std::chars_format::general, 4)
                       .ptr;
  std::string text(digits.data(), end);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

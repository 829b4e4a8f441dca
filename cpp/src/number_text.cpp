#include "src/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "src/message.hpp"

namespace percepts {
namespace {

/// Room for a sign, 17 digits, a point and an exponent.
using Digits = std::array<char, 32>;

std::string_view general(Digits& digits, double value, int precision) {
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::general, precision)
                       .ptr;
  return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

}  // namespace

void append_general(std::string& out, double value, int precision) {
  Digits digits;
  const std::string_view text = general(digits, value == 0 ? 0.0 : value, precision);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string_view::npos || text.find('.') != std::string_view::npos) {
    out += text;
    return;
  }
  out += text.substr(0, exponent);
  out += ".0";
  out += text.substr(exponent);
}

void append_integer(std::string& out, long long value) {
  std::array<char, 24> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

std::string message_text(double value) {
  if (std::isnan(value)) return "nan";
  Digits digits;
  return std::string(general(digits, value == 0 ? 0.0 : value, 6));
}

}  // namespace percepts

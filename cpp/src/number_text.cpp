#include "src/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "src/message.hpp"
#include "src/reading_text.hpp"

namespace percepts {
namespace {

bool is_float32(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

constexpr std::size_t fixed_room = 64;  // 39 digits before the point

int decimals(NumberFormat format) { return format == NumberFormat::fixed4 ? 4 : 6; }

/// Without the sign of what is printed as zero.
std::string_view unsigned_zero(std::string_view text) {
  const bool is_zero = text.find_first_not_of("-0.") == std::string_view::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

char* to_chars(char* to, double value, int precision) {
  return std::to_chars(to, to + general_room, value == 0 ? 0.0 : value, std::chars_format::general, precision)
      .ptr;
}

}  // namespace

char* write_general(char* to, double value, int precision) {
  constexpr std::string_view fraction = ".0";
  char* const end = to_chars(to, value, precision);
  char* const exponent = std::find(to, end, 'e');
  if (exponent == end || std::find(to, exponent, '.') != exponent) return end;
  std::copy_backward(exponent, end, end + fraction.size());
  std::copy(fraction.begin(), fraction.end(), exponent);
  return end + fraction.size();
}

void append_general(std::string& out, double value, int precision) {
  std::array<char, general_room> text;
  const bool reading = precision == reading_precision && is_float32(value);
  char* const end = reading ? write_reading(text.data(), static_cast<float>(value))
                            : write_general(text.data(), value, precision);
  out.append(text.data(), end);
}

void append_real(std::string& out, float value, NumberFormat format) {
  if (format == NumberFormat::general4) {
    append_general(out, static_cast<double>(value), reading_precision);
    return;
  }
  std::array<char, fixed_room> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(value),
                                 std::chars_format::fixed, decimals(format));
  out += unsigned_zero({text.data(), static_cast<std::size_t>(end.ptr - text.data())});
}

void append_integer(std::string& out, std::int64_t value) {
  std::array<char, integer_room> text;
  out.append(text.data(), write_integer(text.data(), value));
}

char* digits::write_long(char* to, std::int64_t value) {
  return std::to_chars(to, to + integer_room, value).ptr;
}

std::string message_text(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, general_room> text;
  char* end = to_chars(text.data(), value, 9);
  const bool shown_whole = std::find_if(text.data(), end, [](char c) { return c == '.' || c == 'e'; }) == end;
  if (shown_whole && std::isfinite(value) && value != std::trunc(value)) {
    end = to_chars(text.data(), value, 17);
  }
  return {text.data(), end};
}

}  // namespace percepts

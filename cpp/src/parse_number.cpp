#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <system_error>

#include "parse_value.hpp"
#include "percepts/values.hpp"

namespace percepts::parsing {
namespace {

/// The parts of a number as it is written.
struct Number {
  bool is_negative = false;
  std::string_view whole;
  std::string_view fraction;  ///< digits behind the point
  bool has_exponent = false;
  bool has_negative_exponent = false;
  std::string_view exponent;  ///< digits
};

bool is_digit(char character) { return character >= '0' && character <= '9'; }

/// Takes the digits at the start of the text off it.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

/// Takes one of the characters off the start of the text; zero where there is none.
char take(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text[0]) == std::string_view::npos) return 0;
  const char taken = text[0];
  text.remove_prefix(1);
  return taken;
}

std::optional<Number> number_parts(std::string_view text) {
  Number number;
  number.is_negative = take(text, "-") != 0;
  number.whole = take_digits(text);
  if (number.whole.empty() || (number.whole.size() > 1 && number.whole[0] == '0')) return std::nullopt;
  if (take(text, ".") != 0) {
    number.fraction = take_digits(text);
    if (number.fraction.empty()) return std::nullopt;
  }
  if (take(text, "eE") != 0) {
    number.has_exponent = true;
    number.has_negative_exponent = take(text, "+-") == '-';
    number.exponent = take_digits(text);
    if (number.exponent.empty()) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return number;
}

bool is_zero(std::string_view text) { return text.find_first_not_of('0') == std::string_view::npos; }

std::string canonical_text(const Number& number) {
  std::string text;
  if (number.is_negative && !(is_zero(number.whole) && is_zero(number.fraction))) text += '-';
  text += number.whole;
  if (!number.fraction.empty()) {
    text.append(".").append(number.fraction);
  } else if (number.has_exponent) {
    text += ".0";
  }
  if (number.has_exponent) text.append(number.has_negative_exponent ? "e-" : "e+").append(number.exponent);
  return text;
}

/// Whether the number is at least 1, whatever its length.
bool is_at_least_one(const Number& number) {
  constexpr std::ptrdiff_t far = 1'000'000;  // past every number of digits
  std::string_view exponent_digits = number.exponent;
  exponent_digits.remove_prefix(std::min(exponent_digits.find_first_not_of('0'), exponent_digits.size()));
  std::ptrdiff_t exponent = 0;
  for (const char digit : exponent_digits) exponent = std::min(far, exponent * 10 + (digit - '0'));
  if (number.has_negative_exponent) exponent = -exponent;
  if (!is_zero(number.whole)) return static_cast<std::ptrdiff_t>(number.whole.size()) - 1 + exponent >= 0;
  const std::size_t zeros = number.fraction.find_first_not_of('0');
  return zeros != std::string_view::npos && exponent - static_cast<std::ptrdiff_t>(zeros) - 1 >= 0;
}

bool overflows(const Number& number, const std::string& text) {
  constexpr std::size_t always_finite =
      std::numeric_limits<double>::max_exponent10;  // digits of a whole number
  if (!number.has_exponent && number.whole.size() <= always_finite) return false;
  double parsed = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), parsed);
  // What is too small is out of range, too.
  return result.ec == std::errc::result_out_of_range && is_at_least_one(number);
}

}  // namespace

Scalar number(const Place& place, std::string_view text) {
  const auto parts = number_parts(text);
  if (!parts) refuse(place, "must be a number such as 12, -0.5 or 1.0e-05, or in double quotes", text);
  std::string printed = canonical_text(*parts);
  if (printed.size() > longest_number) {
    refuse(place, "must have at most " + std::to_string(longest_number) + " characters as a number", text);
  }
  const bool is_real = parts->has_exponent || !parts->fraction.empty();
  if (is_real && overflows(*parts, printed)) refuse(place, "must be finite in double precision", text);
  return {Scalar::Kind::number, std::move(printed)};
}

bool is_number(std::string_view text) {
  const auto parts = number_parts(text);
  if (!parts || text.size() > longest_number || canonical_text(*parts) != text) return false;
  const bool is_real = parts->has_exponent || !parts->fraction.empty();
  return !is_real || !overflows(*parts, std::string(text));
}

std::int32_t count(const Place& place, std::string_view text) {
  constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  std::int32_t parsed = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), parsed);
  const bool is_whole = result.ec == std::errc{} && result.ptr == text.data() + text.size();
  if (!is_whole || parsed < 1 || text[0] == '0') {
    refuse(place, "must be a whole number from 1 to " + std::to_string(largest), text);
  }
  return parsed;
}

}  // namespace percepts::parsing

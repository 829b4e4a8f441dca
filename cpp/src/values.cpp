#include "percepts/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "percepts/error.hpp"
#include "src/message.hpp"
#include "src/number_text.hpp"

namespace percepts {
namespace {

/// Whether these are digits as they are printed: neither a zero in front of others nor a negative one.
bool is_whole(std::string_view digits) {
  if (digits == "0") return true;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  return !digits.empty() && digits[0] != '0' &&
         std::all_of(digits.begin(), digits.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
}

}  // namespace

Scalar integer(std::int64_t value) { return {.kind = Scalar::Kind::number, .text = std::to_string(value)}; }

Scalar integer(std::string digits) {
  if (digits.size() > longest_number) {
    throw InvalidArgument(
        message("a whole number must have at most ", longest_number, " characters, got ", digits.size()));
  }
  if (!is_whole(digits)) {
    throw InvalidArgument(
        message("a whole number must be digits, with a minus sign in front where it is negative, got ",
                digits.substr(0, 40)));
  }
  return {.kind = Scalar::Kind::number, .text = std::move(digits)};
}

Scalar real(double value, std::string_view where) {
  if (!std::isfinite(value)) throw InvalidArgument(message(where, " must be finite, got ", value));
  Scalar scalar{.kind = Scalar::Kind::number, .text = {}};
  append_general(scalar.text, value, 6);
  return scalar;
}

double printed_reading(float reading, NumberFormat format) {
  std::string digits;
  append_real(digits, reading, format);
  double printed = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), printed);
  return printed;
}

Scalar text(std::string utf8) { return {.kind = Scalar::Kind::text, .text = std::move(utf8)}; }

}  // namespace percepts

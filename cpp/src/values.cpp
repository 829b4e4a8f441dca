#include "percepts/values.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "percepts/error.hpp"
#include "src/message.hpp"
#include "src/number_text.hpp"

namespace percepts {
Scalar integer(std::int64_t value) { return integer(std::to_string(value)); }

Scalar integer(std::string digits) { return {.kind = Scalar::Kind::number, .text = std::move(digits)}; }

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

#include "percepts/values.hpp"

#include <charconv>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "percepts/error.hpp"
#include "src/message.hpp"
#include "src/number_text.hpp"
#include "src/value_text.hpp"

namespace percepts {
namespace {

/// The image that an item's p belongs to, as printed; empty where p stands alone.
std::string image_of(const Program& program, std::size_t index) {
  std::string image;
  if (program.modality == "jigsaw" && has_value(program.i, index)) append_value(image, program.i, index, {});
  return image;
}

std::string with_image(std::string p, const std::string& image) {
  if (!image.empty()) p.append(" of image ").append(image);
  return p;
}

/// What tells an item from all others: a number counts as the text of its digits.
std::string identity(const Program& program, std::size_t index) {
  std::string p;
  append_value(p, program.p, index, {});
  if (!p.starts_with('[') && !p.starts_with('"')) p = '"' + p + '"';
  return with_image(std::move(p), image_of(program, index));
}

std::string shown_id(const Program& program, std::size_t index) {
  std::string p;
  append_value(p, program.p, index, words_of_p(program.modality));
  return with_image(std::move(p), image_of(program, index));
}

}  // namespace

Scalar integer(std::int64_t value) { return integer(std::to_string(value)); }

Scalar integer(std::string digits) { return {.kind = Scalar::Kind::number, .text = std::move(digits)}; }

Scalar real(double value, std::string_view where) {
  if (!std::isfinite(value)) throw InvalidArgument(message(where, " must be finite, got ", value));
  Scalar scalar{.kind = Scalar::Kind::number, .text = {}};
  append_general(scalar.text, value, 6);
  return scalar;
}

double printed_reading(float reading) {
  std::string digits;
  append_general(digits, static_cast<double>(reading), 4);
  double printed = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), printed);
  return printed;
}

Scalar text(std::string utf8) { return {.kind = Scalar::Kind::text, .text = std::move(utf8)}; }

void check(const Program& program) {
  if (!std::holds_alternative<column::Values>(program.p)) return;
  std::unordered_set<std::string> seen;
  for (std::size_t index = 0; index < program.size; ++index) {
    if (!has_value(program.p, index)) continue;
    if (!seen.insert(identity(program, index)).second) {
      throw InvalidArgument(
          message("p must be unique within a program, got ", shown_id(program, index), " more than once"));
    }
  }
}

}  // namespace percepts

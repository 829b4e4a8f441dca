#include "src/compact_scalar.hpp"

#include "src/escape.hpp"
#include "src/parse_value.hpp"

namespace percepts {

void append_compact_number(std::string& out, std::string_view digits) {
  if (digits.starts_with("-0.")) {
    out.append("-").append(digits.substr(2));
  } else {
    out += digits.substr(digits.starts_with("0.") ? 1 : 0);
  }
}

void append_compact_text(std::string& out, std::string_view text) {
  if (parsing::is_word(text) && text.find(' ') == std::string_view::npos) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

std::string compact_scalar(const Scalar& scalar) {
  std::string text;
  if (scalar.kind == Scalar::Kind::number) {
    append_compact_number(text, scalar.text);
  } else {
    append_compact_text(text, scalar.text);
  }
  return text;
}

}  // namespace percepts

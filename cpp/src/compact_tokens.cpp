#include "compact_tokens.hpp"

#include <algorithm>

#include "parse_string.hpp"
#include "parse_text.hpp"
#include "parse_value.hpp"

namespace percepts::parsing {
namespace {

constexpr std::string_view scalar_ends = " ,]>=~";

}  // namespace

Scalar short_number(const Place& place, std::string_view token) {
  const bool is_negative = token.starts_with('-');
  if (token.substr(is_negative ? 1 : 0, 1) != ".") return number(place, token);
  std::string digits(is_negative ? "-0" : "0");
  digits += token.substr(is_negative ? 1 : 0);
  return number(place, digits);
}

void CompactTokens::refuse_next(std::string_view name, std::string_view requirement) const {
  refuse(place(name), requirement, rest());
}

bool CompactTokens::take(char character) { return take_any({&character, 1}) != 0; }

char CompactTokens::take_any(std::string_view characters) {
  if (at_end() || characters.find(text_[at_]) == std::string_view::npos) return 0;
  return text_[at_++];
}

bool CompactTokens::spaces() {
  const std::string_view after = without_start(rest());
  const bool any = after.size() < rest().size();
  at_ = text_.size() - after.size();
  return any || at_end();
}

std::string_view CompactTokens::until(std::string_view ends) {
  const std::size_t start = at_;
  const bool is_string = rest().starts_with('"');
  const std::size_t after_string = is_string ? string_end(text_, start) : start;
  at_ = std::min(text_.find_first_of(ends, after_string), text_.size());
  return text_.substr(start, at_ - start);
}

std::string CompactTokens::text(std::string_view name) {
  const std::string_view token = until(scalar_ends);
  return token.starts_with('"') ? string(place(name), token) : word(place(name), token, compact_value);
}

Scalar CompactTokens::scalar(std::string_view name) {
  if (!starts_like_number(rest())) return {Scalar::Kind::text, text(name)};
  return short_number(place(name), until(scalar_ends));
}

std::optional<Value> CompactTokens::value(std::string_view name) {
  if (rest() == "-" || rest().starts_with("- ")) {
    ++at_;
    return std::nullopt;
  }
  Value result;
  const bool in_brackets = take('[');
  result.is_list = in_brackets;
  if (in_brackets && take(']')) return result;
  result.scalars.push_back(scalar(name));
  while (take(',')) result.scalars.push_back(scalar(name));
  if (in_brackets && !take(']')) refuse_next(name, "must be one flat list that ends with ]");
  result.is_list = in_brackets || result.scalars.size() > 1;
  return result;
}

}  // namespace percepts::parsing

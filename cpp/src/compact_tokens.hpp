#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "parse_error.hpp"
#include "parse_lines.hpp"
#include "percepts/program.hpp"

namespace percepts::parsing {

/// A number, to which the zero before its point may be missing.
Scalar short_number(const Place& place, std::string_view token);

/// What the value of an item's field must be.
inline constexpr std::string_view compact_value =
    "must be a number, a word or a double-quoted string, or several with commas between them";

/// A line in the style `compact` that is read token by token; `name` is what an error calls the thing that is
/// read.
class CompactTokens {
 public:
  explicit CompactTokens(const Line& line, std::size_t start = 0)
      : line_(line.number), text_(line.text()), at_(start) {}

  bool at_end() const { return at_ >= text_.size(); }

  Place place(std::string_view name) const { return {line_, name}; }

  /// What is left of the line.
  std::string_view rest() const { return text_.substr(at_); }

  /// Throws ParseError: what is required of the next token, and the rest of the line.
  [[noreturn]] void refuse_next(std::string_view name, std::string_view requirement) const;

  /// Goes past a character, if it is the next one.
  bool take(char character);

  /// Goes past one of these characters; zero where none of them is next.
  char take_any(std::string_view characters);

  /// Goes past spaces; false where something else than a space or the end is next.
  bool spaces();

  /// Goes up to a character that ends a token; a string that starts here is not searched for it.
  std::string_view until(std::string_view ends);

  /// Reads a word without spaces, or a string.
  std::string text(std::string_view name);

  /// Reads a number, a word or a string.
  Scalar scalar(std::string_view name);

  /// Reads the value of a field; nothing where it is absent.
  std::optional<Value> value(std::string_view name);

 private:
  std::size_t line_;
  std::string_view text_;
  std::size_t at_;
};

}  // namespace percepts::parsing

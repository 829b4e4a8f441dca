#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parse_lines.hpp"
#include "parse_text.hpp"
#include "percepts/program.hpp"

namespace percepts::parsing {

/// A JSON text that is read token by token, over its lines. `name` is what an error calls the thing that is
/// read. What may stand where is the caller's to know, so that nothing here recurses.
class JsonTokens {
 public:
  using Names = std::span<const std::string_view>;

  explicit JsonTokens(const Block& block);

  /// First character of the next token; zero at the end.
  char peek();

  /// Line of the next token.
  std::size_t line();

  /// Reads a string.
  std::string string(std::string_view name, std::string_view requirement = "must be a double-quoted string");

  /// Reads a number.
  Scalar number(std::string_view name);

  /// Reads a number of rows or columns.
  std::int32_t count(std::string_view name);

  /// Calls `read(index of the key)` before the value of each member of an object, which it reads.
  template <class Read>
  void members(std::string_view name, Names keys, Names required, Read read);

  /// Calls `read()` before each element of a list, which it reads.
  template <class Read>
  void elements(std::string_view name, Read read) {
    sequence(name, '[', ']', read);
  }

  /// Refuses what follows the text.
  void must_end();

  /// Throws ParseError: what was required of the tokens that were read last.
  [[noreturn]] void refuse_last(std::string_view name, std::string_view requirement,
                                std::string_view got) const;

 private:
  /// Throws ParseError: what is required of the next token, and the rest of its line.
  [[noreturn]] void refuse_next(std::string_view name, std::string_view requirement);

  /// Goes past a token of one character, if it is the next one.
  bool take(char character);

  std::string_view number_token();

  std::string key(std::string_view name, Names keys, Names found);

  template <class Read>
  void sequence(std::string_view name, char opening, char closing, Read read);

  std::vector<Line> lines_;  ///< those that are not blank, and what follows them
  std::size_t next_ = 0;
  std::string_view text_;  ///< of line `next_`
  std::size_t column_ = 0;
};

template <class Read>
void JsonTokens::sequence(std::string_view name, char opening, char closing, Read read) {
  if (!take(opening)) refuse_next(name, std::string("must start with ") + opening);
  if (take(closing)) return;
  while (true) {
    read();
    if (take(closing)) return;
    if (!take(',')) refuse_next(name, std::string("must go on with , or ") + closing);
  }
}

template <class Read>
void JsonTokens::members(std::string_view name, Names keys, Names required, Read read) {
  std::vector<std::string_view> found;
  sequence(name, '{', '}', [&] {
    const std::string text = key(name, keys, found);
    const auto known = std::find(keys.begin(), keys.end(), text);
    found.push_back(*known);
    read(static_cast<std::size_t>(known - keys.begin()));
  });
  const auto is_missing = [&](std::string_view word) {
    return std::find(found.begin(), found.end(), word) == found.end();
  };
  if (std::any_of(required.begin(), required.end(), is_missing)) {
    refuse_last(name, "must have the keys " + listed(required), listed(found));
  }
}

}  // namespace percepts::parsing

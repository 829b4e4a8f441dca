#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parse_error.hpp"

namespace percepts::parsing {

/// A double-quoted string without its quotes and escapes; or why there is none.
struct Unquoted {
  std::string text;
  std::string_view requirement;  ///< empty when the string is fine
  std::string_view got;
};

/// Reads a text that starts with a double quote as one string with YAML's escapes and nothing after it.
Unquoted unquoted(std::string_view text);

/// The same. Throws ParseError instead of saying why not.
std::string string(const Place& place, std::string_view text);

/// Where the string that starts at `start` has ended, whatever its escapes; `start` where there is none.
std::size_t after_string(std::string_view text, std::size_t start);

}  // namespace percepts::parsing

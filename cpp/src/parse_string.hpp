#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parse_error.hpp"

namespace percepts::parsing {

/// What may follow a backslash in a string.
struct Escapes {
  std::string_view language;
  std::string_view kinds;
};

inline constexpr Escapes yaml_escapes{"YAML", "0abtnvfre \"/\\N_LPxuU"};
inline constexpr Escapes json_escapes{"JSON", "\"\\/bfnrtu"};

/// Reads a text that starts with a double quote as one string with these escapes and nothing after it. Throws
/// ParseError when it is not.
std::string string(const Place& place, std::string_view text, const Escapes& escapes = yaml_escapes);

/// Where the string that starts at `start` has ended, whatever its escapes; npos where it does not.
std::size_t string_end(std::string_view text, std::size_t start = 0);

}  // namespace percepts::parsing

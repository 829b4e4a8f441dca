#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percepts::utf8 {

/// A character and the number of bytes that it takes; no bytes where there is no valid character.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

/// The character at the start of a text.
Character decode(std::string_view text);

/// Appends a character that is not half of a surrogate pair.
void append(std::string& out, char32_t code);

}  // namespace percepts::utf8

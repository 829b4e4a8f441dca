#pragma once

#include <algorithm>
#include <string_view>

namespace percepts::parsing {

/// The text without the characters of `blank` at its start.
inline std::string_view without_start(std::string_view text, std::string_view blank = " ") {
  return text.substr(std::min(text.find_first_not_of(blank), text.size()));
}

/// The text without the characters of `blank` at its end.
inline std::string_view without_end(std::string_view text, std::string_view blank = " ") {
  return text.substr(0, text.find_last_not_of(blank) + 1);
}

}  // namespace percepts::parsing

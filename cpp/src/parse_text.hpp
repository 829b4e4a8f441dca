#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
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

/// The words with commas between them.
inline std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) text.append(k == 0 ? "" : ", ").append(words[k]);
  return text;
}

}  // namespace percepts::parsing

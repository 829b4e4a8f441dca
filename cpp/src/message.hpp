#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace percepts {

/// How a number stands in a message: as Python's `f"{value:.9g}"`, but 0 for −0, and with 17 digits where 9
/// would show a whole number that it is not.
std::string message_text(double value);

inline std::string message_text(std::integral auto value) { return std::to_string(value); }
inline std::string_view message_text(std::string_view text) { return text; }
inline std::string_view message_text(const char* text) { return text; }

/// The parts, one after another.
template <class... Parts>
std::string message(const Parts&... parts) {
  std::string text;
  (text.append(message_text(parts)), ...);
  return text;
}

}  // namespace percepts

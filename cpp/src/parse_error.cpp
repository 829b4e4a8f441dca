#include "parse_error.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "percepts/error.hpp"
#include "utf8.hpp"

namespace percepts::parsing {
namespace {

constexpr std::size_t excerpt_length = 40;

/// Controls, marks that change the direction of text, line separators, and what is no character.
bool is_unprintable(char32_t code) {
  constexpr std::array<std::pair<char32_t, char32_t>, 8> ranges{{{0x00, 0x1F},
                                                                 {0x7F, 0x9F},
                                                                 {0x61C, 0x61C},
                                                                 {0x200E, 0x200F},
                                                                 {0x2028, 0x202E},
                                                                 {0x2066, 0x2069},
                                                                 {0xFEFF, 0xFEFF},
                                                                 {0xFFFE, 0xFFFF}}};
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return range.first <= code && code <= range.second; });
}

void append_printable(std::string& out, std::string_view character, char32_t code) {
  if (!is_unprintable(code)) {
    out += character;
    return;
  }
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += "0123456789ABCDEF"[(code >> shift) & 0xFU];
}

/// Shows what was found: quoted, cut when it is long, on one line.
std::string excerpt(std::string_view text) {
  std::string shown = "'";
  std::size_t length_when_cut = 0;
  std::size_t characters = 0;
  while (!text.empty()) {
    if (characters == excerpt_length - 3) length_when_cut = shown.size();
    if (characters == excerpt_length) {
      shown.resize(length_when_cut);
      shown += "...";
      break;
    }
    const utf8::Character character = utf8::decode(text);
    if (character.bytes == 0) {
      shown += "\uFFFD";  // a byte that is no text
    } else {
      append_printable(shown, text.substr(0, character.bytes), character.code);
    }
    text.remove_prefix(std::max(character.bytes, std::size_t{1}));
    ++characters;
  }
  return shown += "'";
}

}  // namespace

void refuse(const Place& place, std::string_view requirement, std::string_view got) {
  std::string message = "line " + std::to_string(place.line) + ": ";
  message.append(place.name).append(" ").append(requirement).append(", got ").append(excerpt(got));
  throw ParseError(message);
}

}  // namespace percepts::parsing

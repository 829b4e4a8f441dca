#include "src/escape.hpp"

#include <algorithm>

#include "src/utf8.hpp"

namespace percepts {
namespace {

/// Controls (C0, C1, DEL), line and paragraph separators, direction marks, the byte order mark,
/// non-characters, and `<`, which could end the block.
constexpr bool is_escaped(char32_t c) {
  return c < 0x20 || c == '<' || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || c == 0xFFFE ||
         c == 0xFFFF;
}

void append_hex(std::string& out, char32_t c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(c >> shift) & 0xFu];
}

void append_escaped(std::string& out, char32_t c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      is_escaped(c) ? append_hex(out, c) : utf8::append(out, c);
  }
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  constexpr char32_t replacement = 0xFFFD;
  out += '"';
  while (!text.empty()) {
    const auto [code, bytes] = utf8::decode(text);
    append_escaped(out, bytes == 0 ? replacement : code);
    text.remove_prefix(std::max(bytes, std::size_t{1}));
  }
  out += '"';
}

}  // namespace percepts

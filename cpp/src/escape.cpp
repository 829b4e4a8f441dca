#include "src/escape.hpp"

#include <algorithm>
#include <span>

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

/// Whether a byte is anything but printable ASCII that stands for itself.
constexpr bool is_special(unsigned char c) {
  return (c < 0x20) | (c > 0x7E) | (c == '"') | (c == '\\') | (c == '<');
}

/// Without branches and no wider than a byte, so that the compiler makes it a few vector instructions.
bool any_special(std::span<const char, 32> bytes) {
  unsigned char any = 0;
  for (const char byte : bytes) any |= is_special(static_cast<unsigned char>(byte));
  return any != 0;
}

/// How many bytes at the start stand for themselves.
std::size_t plain_prefix(std::string_view text) {
  constexpr std::size_t block = 32;
  std::size_t size = 0;
  while (size + block <= text.size() &&
         !any_special(std::span<const char, block>(text.data() + size, block))) {
    size += block;
  }
  while (size < text.size() && !is_special(static_cast<unsigned char>(text[size]))) ++size;
  return size;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  constexpr char32_t replacement = 0xFFFD;
  out += '"';
  while (true) {
    const std::size_t plain = plain_prefix(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto [code, bytes] = utf8::decode(text);
    append_escaped(out, bytes == 0 ? replacement : code);
    text.remove_prefix(std::max(bytes, std::size_t{1}));
  }
  out += '"';
}

}  // namespace percepts

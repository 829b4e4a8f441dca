#include "src/utf8.hpp"

namespace percepts {
namespace {

constexpr bool is_surrogate(char32_t value) { return value >= 0xD800 && value <= 0xDFFF; }

/// Bytes of the sequence that a lead byte starts; 0 for a byte that cannot start one.
constexpr std::size_t sequence_size(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

constexpr char32_t smallest_of_size(std::size_t size) {
  return size == 4 ? 0x10000 : size == 3 ? 0x800 : size == 2 ? 0x80 : 0;
}

}  // namespace

CodePoint first_code_point(std::string_view utf8) {
  constexpr CodePoint invalid{replacement, 1};
  const auto lead = static_cast<unsigned char>(utf8[0]);
  const std::size_t size = sequence_size(lead);
  if (size == 0 || size > utf8.size()) return invalid;
  if (size == 1) return {lead, 1};
  char32_t value = lead & (0xFFu >> (size + 1));
  for (std::size_t at = 1; at < size; ++at) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if ((byte & 0xC0u) != 0x80u) return invalid;
    value = (value << 6) | (byte & 0x3Fu);
  }
  if (value < smallest_of_size(size) || value > 0x10FFFF || is_surrogate(value)) return invalid;
  return {value, size};
}

void append_utf8(std::string& out, char32_t code_point) {
  if (is_surrogate(code_point) || code_point > 0x10FFFF) code_point = replacement;
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  const auto put_tail = [&](unsigned shift) { put(0x80u | ((code_point >> shift) & 0x3Fu)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0u | (code_point >> 6));
    put_tail(0);
  } else if (code_point < 0x10000) {
    put(0xE0u | (code_point >> 12));
    put_tail(6);
    put_tail(0);
  } else {
    put(0xF0u | (code_point >> 18));
    put_tail(12);
    put_tail(6);
    put_tail(0);
  }
}

}  // namespace percepts

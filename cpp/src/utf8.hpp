#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace percepts {

inline constexpr char32_t replacement = 0xFFFD;

/// One code point and the bytes it takes; bytes that are not UTF-8 are `replacement`, one at a time.
struct CodePoint {
  char32_t value;
  std::size_t size;
};

/// The code point at the start of a text that is not empty.
CodePoint first_code_point(std::string_view utf8);

/// Appends a code point; halves of surrogate pairs become `replacement`.
void append_utf8(std::string& out, char32_t code_point);

}  // namespace percepts

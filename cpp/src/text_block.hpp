#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace percepts {

/// A block of text that is written through plain pointers and appended to a string when it is full: neither
/// does the string grow with every word, nor is its memory filled with zeros first.
class TextBlock {
 public:
  static constexpr std::size_t capacity = 4096;

  explicit TextBlock(std::string& out) : out_(out) {}

  /// Where the next `characters` (not more than the capacity) may be written.
  char* room(std::size_t characters) {
    if (characters > capacity - size_) flush();
    return text_.data() + size_;
  }

  /// What was written ends here.
  void end_at(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }

  /// Appends what was written.
  void flush() {
    out_.append(text_.data(), size_);
    size_ = 0;
  }

 private:
  std::string& out_;
  std::size_t size_ = 0;
  std::array<char, capacity> text_;
};

/// Writes a literal at `to` and returns the end of it.
template <std::size_t Size>
char* write(char* to, const char (&literal)[Size]) {
  std::memcpy(to, literal, Size - 1);
  return to + Size - 1;
}

/// A word that is always copied with all the room that it may have: that takes two instructions and no loop.
class ShortWord {
 public:
  static constexpr std::size_t room = 32;

  static bool fits(std::string_view word) { return word.size() <= room; }

  /// A word that fits.
  explicit ShortWord(std::string_view word) : size_(word.copy(text_.data(), room)) {}

  char* write(char* to) const {
    std::memcpy(to, text_.data(), room);
    return to + size_;
  }

 private:
  std::array<char, room> text_{};
  std::size_t size_;
};

}  // namespace percepts

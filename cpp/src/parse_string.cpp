#include "parse_string.hpp"

#include <optional>

#include "utf8.hpp"

namespace percepts::parsing {
namespace {

constexpr std::string_view escape_or_end = "\"\\";
constexpr char32_t replacement = 0xFFFD;

/// A character and the length of its escape.
struct Escape {
  char32_t code = 0;
  std::size_t length = 0;
};

std::optional<char32_t> short_escape(char kind) {
  switch (kind) {
    case '0':
      return 0x00;
    case 'a':
      return 0x07;
    case 'b':
      return 0x08;
    case 't':
      return 0x09;
    case 'n':
      return 0x0A;
    case 'v':
      return 0x0B;
    case 'f':
      return 0x0C;
    case 'r':
      return 0x0D;
    case 'e':
      return 0x1B;
    case ' ':
    case '"':
    case '/':
    case '\\':
      return static_cast<char32_t>(kind);
    case 'N':
      return 0x85;
    case '_':
      return 0xA0;
    case 'L':
      return 0x2028;
    case 'P':
      return 0x2029;
    default:
      return std::nullopt;
  }
}

std::size_t hex_digits(char kind) {
  switch (kind) {
    case 'x':
      return 2;
    case 'u':
      return 4;
    case 'U':
      return 8;
    default:
      return 0;
  }
}

std::optional<char32_t> hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<char32_t>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<char32_t>(digit - 'a' + 10);
  if (digit >= 'A' && digit <= 'F') return static_cast<char32_t>(digit - 'A' + 10);
  return std::nullopt;
}

/// The escape at the start of the text, which is a backslash.
std::optional<Escape> escape(std::string_view text, std::string_view kinds) {
  if (text.size() < 2 || kinds.find(text[1]) == std::string_view::npos) return std::nullopt;
  if (const auto code = short_escape(text[1])) return Escape{*code, 2};
  const std::size_t digits = hex_digits(text[1]);
  if (digits == 0 || text.size() < 2 + digits) return std::nullopt;
  char32_t code = 0;  // eight digits fit
  for (const char character : text.substr(2, digits)) {
    const auto digit = hex_digit(character);
    if (!digit) return std::nullopt;
    code = code << 4U | *digit;
  }
  if (code > 0x10FFFF) return std::nullopt;
  return Escape{code, 2 + digits};
}

/// Appends characters, and joins halves of surrogate pairs that follow each other; a lone half becomes
/// U+FFFD.
class Joiner {
 public:
  explicit Joiner(std::string& out) : out_(out) {}

  void add(std::string_view plain) {
    if (plain.empty()) return;
    flush();
    out_ += plain;
  }

  void add(char32_t code) {
    const bool is_low = code >= 0xDC00 && code < 0xE000;
    if (is_low && high_ != 0) {
      utf8::append(out_, 0x10000 + ((high_ - 0xD800) << 10U) + (code - 0xDC00));
      high_ = 0;
      return;
    }
    flush();
    if (code >= 0xD800 && code < 0xDC00) {
      high_ = code;
    } else {
      utf8::append(out_, is_low ? replacement : code);
    }
  }

  void flush() {
    if (high_ != 0) utf8::append(out_, replacement);
    high_ = 0;
  }

 private:
  std::string& out_;
  char32_t high_ = 0;
};

}  // namespace

std::string string(const Place& place, std::string_view text, const Escapes& escapes) {
  std::string result;
  Joiner joiner(result);
  std::size_t start = 1;
  while (true) {
    const std::size_t end = text.find_first_of(escape_or_end, start);
    if (end == std::string_view::npos) refuse(place, "must end with a double quote", text);
    joiner.add(text.substr(start, end - start));
    start = end + 1;
    if (text[end] == '"') break;
    const auto escaped = escape(text.substr(end), escapes.kinds);
    if (!escaped) {
      const std::string requirement =
          "must have only escapes that " + std::string(escapes.language) + " knows";
      refuse(place, requirement, text.substr(end));
    }
    joiner.add(escaped->code);
    start = end + escaped->length;
  }
  joiner.flush();
  if (start < text.size()) {
    refuse(place, "must be one double-quoted string with the quotes inside it escaped", text);
  }
  return result;
}

std::size_t string_end(std::string_view text, std::size_t start) {
  std::size_t end = text.find_first_of(escape_or_end, start + 1);
  while (end != std::string_view::npos && text[end] == '\\') {
    end = text.find_first_of(escape_or_end, end + 2);
  }
  return end == std::string_view::npos ? end : end + 1;
}

}  // namespace percepts::parsing

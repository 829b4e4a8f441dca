#include "parse_value.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "parse_string.hpp"
#include "parse_text.hpp"

namespace percepts::parsing {
namespace {

bool starts_with_any(std::string_view text, std::string_view characters) {
  return !text.empty() && characters.find(text[0]) != std::string_view::npos;
}

std::string_view without_spaces(std::string_view text) { return without_start(without_end(text)); }

/// Whether a word is another one in small letters, in capitals (the first or all of them), or in any mixture.
bool is_form_of(std::string_view text, std::string_view word, bool any_mixture) {
  if (text.size() != word.size()) return false;
  const auto is_capital = [](char character) { return character >= 'A' && character <= 'Z'; };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char small = is_capital(text[k]) ? static_cast<char>(text[k] - 'A' + 'a') : text[k];
    if (small != word[k]) return false;
  }
  const auto capitals = std::count_if(text.begin(), text.end(), is_capital);
  return any_mixture || capitals == 0 || static_cast<std::size_t>(capitals) == text.size() ||
         (capitals == 1 && is_capital(text[0]));
}

/// A reading without a valid pixel as C and Python print it.
bool is_hole(std::string_view text) {
  constexpr std::array<std::string_view, 3> words{"nan", "inf", "-inf"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return is_form_of(text, word, true); });
}

/// A word that YAML 1.1 or 1.2 turns into something that is not text.
bool is_other_type(std::string_view text) {
  constexpr std::array<std::string_view, 10> words{"null", "true", "false", "yes", "no",
                                                   "on",   "off",  "y",     "n",   "~"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return is_form_of(text, word, false); });
}

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

bool is_in_word(char character) {
  const bool is_digit = character >= '0' && character <= '9';
  return is_letter(character) || is_digit || character == '_' || character == '-' || character == ' ';
}

/// Letters, digits, '_', '-' and single spaces inside, a letter first.
bool has_form_of_word(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && text.back() != ' ' &&
         text.find("  ") == std::string_view::npos && std::all_of(text.begin(), text.end(), is_in_word);
}

Scalar unknown_reading() { return {Scalar::Kind::text, std::string(unknown)}; }

Scalar scalar(const Place& place, std::string_view text) {
  if (text.starts_with('"')) return {Scalar::Kind::text, string(place, text)};
  if (place.name == "r" && is_hole(text)) return unknown_reading();
  if (starts_like_number(text)) return number(place, text);
  constexpr std::string_view requirement =
      "must be a double-quoted string, a number, a bare word or a flat list of these";
  return {Scalar::Kind::text, word(place, text, requirement)};
}

Value list_of(const Place& place, const std::vector<std::string_view>& elements,
              Scalar (*read)(const Place&, std::string_view)) {
  Value list{.is_list = true, .scalars = {}};
  list.scalars.reserve(elements.size());
  for (const std::string_view element : elements) list.scalars.push_back(read(place, element));
  return list;
}

[[noreturn]] void refuse_list(const Place& place, std::string_view text, char closing) {
  refuse(place, std::string("must be one flat list that ends with ") + closing, text);
}

/// `(x, y)`, as the release prints points.
Value point(const Place& place, std::string_view text) {
  const auto elements = split_list(place, text, ')');
  if (elements.size() != 2) refuse(place, "must have two numbers between ( and )", text);
  return list_of(place, elements, number);
}

/// `0,0,1000,62`, as the release prints a jigsaw's strip.
Value bare_numbers(const Place& place, std::string_view text) {
  std::vector<std::string_view> elements;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    elements.push_back(without_spaces(rest.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return list_of(place, elements, number);
}

/// `{'similarity': 0.83}`, as the release prints a jigsaw's reading.
Scalar similarity(const Place& place, std::string_view text) {
  constexpr std::string_view requirement = "must be like {'similarity': 0.83} when it is in braces";
  if (text.size() < 2 || text.back() != '}') refuse(place, requirement, text);
  const std::string_view inner = without_spaces(text.substr(1, text.size() - 2));
  const bool has_key = starts_with_any(inner, "'\"");
  const std::size_t key_end = has_key ? inner.find(inner[0], 1) : std::string_view::npos;
  if (key_end == std::string_view::npos) refuse(place, requirement, text);
  const std::string_view after_key = without_start(inner.substr(key_end + 1));
  if (!after_key.starts_with(':')) refuse(place, requirement, text);
  const std::string_view digits = without_start(after_key.substr(1));
  return is_hole(digits) ? unknown_reading() : number(place, digits);
}

}  // namespace

std::string word(const Place& place, std::string_view text, std::string_view requirement) {
  if (is_other_type(text) || is_hole(text)) {
    refuse(place, "must be in double quotes, since YAML has another meaning for this word", text);
  }
  if (!has_form_of_word(text)) refuse(place, requirement, text);
  return std::string(text);
}

bool is_word(std::string_view text) {
  return has_form_of_word(text) && !is_other_type(text) && !is_hole(text);
}

bool starts_like_number(std::string_view text) { return starts_with_any(text, "0123456789+-."); }

Value value(const Place& place, std::string_view text) {
  const bool is_reading = place.name == "r";
  if (text.starts_with('[')) {
    const auto elements = split_list(place, text);
    if (is_reading && !elements.empty() && std::all_of(elements.begin(), elements.end(), is_hole)) {
      return {.is_list = false, .scalars = {unknown_reading()}};
    }
    return list_of(place, elements, scalar);
  }
  if (text.starts_with('(')) return point(place, text);
  if (is_reading && text.starts_with('{')) return {.is_list = false, .scalars = {similarity(place, text)}};
  const bool has_comma = text.find(',') != std::string_view::npos;
  if (place.name == "c" && has_comma && starts_like_number(text)) return bare_numbers(place, text);
  return {.is_list = false, .scalars = {scalar(place, text)}};
}

std::vector<std::string_view> split_list(const Place& place, std::string_view text, char closing) {
  const std::array<char, 2> ends{',', closing};
  std::vector<std::string_view> elements;
  std::size_t start = 1;
  while (true) {
    const std::size_t first = std::min(text.find_first_not_of(' ', start), text.size());
    const bool is_string = text.substr(first).starts_with('"');
    const std::size_t after_string = is_string ? string_end(text, first) : first;
    const std::size_t end = text.find_first_of({ends.data(), ends.size()}, after_string);
    if (end == std::string_view::npos) refuse_list(place, text, closing);
    elements.push_back(without_spaces(text.substr(start, end - start)));
    start = end + 1;
    if (text[end] == closing) break;
  }
  if (start < text.size()) refuse_list(place, text, closing);
  if (elements.size() == 1 && elements[0].empty()) elements.clear();
  return elements;
}

std::string text_value(const Place& place, std::string_view text) {
  if (text.starts_with('"')) return string(place, text);
  return word(place, text, "must be a double-quoted string or a bare word");
}

}  // namespace percepts::parsing

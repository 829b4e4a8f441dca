#include "parse_lines.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "parse_error.hpp"
#include "parse_text.hpp"
#include "utf8.hpp"

namespace percepts::parsing {
namespace {

constexpr std::string_view blank = " \t";

std::string_view without_indentation(std::string_view text) { return without_start(text, blank); }

bool is_blank(const Line& line) { return line.text().empty(); }
bool is_not_blank(const Line& line) { return !is_blank(line); }

bool is_printable_ascii(char character) { return character >= ' ' && character <= '~'; }

void check_characters(const Line& line) {
  const Place place{line.number, "a line"};
  std::string_view rest = line.raw;
  while (true) {
    const auto other = std::find_if_not(rest.begin(), rest.end(), is_printable_ascii);
    rest.remove_prefix(static_cast<std::size_t>(other - rest.begin()));
    if (rest.empty()) return;
    const utf8::Character character = utf8::decode(rest);
    if (character.bytes == 0) parsing::refuse(place, "must be UTF-8", line.text());
    if (character.code < 0x20 && character.code != '\t') {
      parsing::refuse(place, "must not hold control characters", rest.substr(0, 1));
    }
    rest.remove_prefix(character.bytes);
  }
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (bool is_last = false; !is_last;) {
    const std::size_t end = text.find('\n');
    is_last = end == std::string_view::npos;
    std::string_view raw = text.substr(0, end);
    if (!is_last && raw.ends_with('\r')) raw.remove_suffix(1);
    lines.push_back({lines.size() + 1, raw});
    check_characters(lines.back());
    if (!is_last) text.remove_prefix(end + 1);
  }
  return lines;
}

/// Takes the indentation of the first line that is not blank off every line.
std::vector<Line> dedented(std::vector<Line> lines) {
  const auto first = std::find_if(lines.begin(), lines.end(), is_not_blank);
  const std::string_view start = first == lines.end() ? std::string_view{} : first->raw;
  const std::string_view indentation = start.substr(0, start.size() - without_indentation(start).size());
  for (Line& line : lines) {
    const bool is_indented = line.raw.starts_with(indentation);
    if (!is_indented && is_not_blank(line)) {
      line.refuse("must be indented at least like the first line of its program");
    }
    if (is_indented) line.raw.remove_prefix(indentation.size());
  }
  return lines;
}

}  // namespace

std::string_view Line::text() const { return without_end(raw, blank); }

std::size_t Line::indentation() const { return std::min(raw.find_first_not_of(' '), raw.size()); }

void Line::refuse(std::string_view requirement) const {
  parsing::refuse({number, "a line"}, requirement, text());
}

std::string_view Block::start() const {
  const auto first = std::find_if(lines.begin(), lines.end(), is_not_blank);
  return first == lines.end() ? std::string_view{} : without_indentation(first->text());
}

Body::Body(Block block) : lines_(dedented(std::move(block.lines))), end_(block.end) {}

const Line* Body::peek() {
  while (next_ < lines_.size() && is_blank(lines_[next_])) ++next_;
  return next_ < lines_.size() ? &lines_[next_] : nullptr;
}

std::optional<std::span<const Line>> Body::take_before(std::initializer_list<std::string_view> endings) {
  const std::size_t start = next_;
  for (; next_ < lines_.size(); ++next_) {
    if (std::find(endings.begin(), endings.end(), lines_[next_].text()) != endings.end()) {
      return std::span(lines_).subspan(start, next_ - start);
    }
  }
  return std::nullopt;
}

Block block_of(std::string_view text) {
  const std::vector<Line> lines = lines_of(text);
  const auto is_tag = [](std::string_view tag) {
    return [tag](const Line& line) { return without_indentation(line.text()) == tag; };
  };
  const auto first = std::find_if(lines.begin(), lines.end(), is_not_blank);
  const auto opening = first == lines.end() ? std::prev(first) : first;
  if (without_indentation(opening->text()).starts_with('{')) {
    return {{opening, lines.end()}, {lines.back().number, {}}};
  }
  if (!is_tag(opening_tag)(*opening)) {
    opening->refuse("must be " + std::string(opening_tag) + " at the start of a program");
  }
  const auto closing = std::find_if(std::next(opening), lines.end(), is_tag(closing_tag));
  if (closing == lines.end()) {
    lines.back().refuse("must be " + std::string(closing_tag) + " at the end of a program");
  }
  const auto after = std::find_if(std::next(closing), lines.end(), is_not_blank);
  if (after != lines.end()) after->refuse("must be blank after the program");
  return {{std::next(opening), closing}, *closing};
}

}  // namespace percepts::parsing

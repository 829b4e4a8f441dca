#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse_compact.hpp"
#include "parse_error.hpp"
#include "parse_items.hpp"
#include "parse_json.hpp"
#include "parse_lines.hpp"
#include "parse_string.hpp"
#include "parse_text.hpp"
#include "parse_value.hpp"
#include "percepts/error.hpp"
#include "percepts/program.hpp"
#include "percepts/values.hpp"
#include "src/check.hpp"

namespace percepts {
namespace parsing {
namespace {

constexpr std::array<std::string_view, 6> keys{"modality", "granularity", "grid",
                                               "note",     "items",       "relations"};
enum Key : std::size_t { key_modality, key_granularity, key_grid, key_note, key_items, key_relations };

constexpr std::array<std::string_view, 2> grid_keys{"rows", "cols"};
constexpr std::string_view same_indentation = "must be indented like its list or block";
constexpr std::string_view dash = "- ";

/// A key, as its index among those that may stand there, and what follows it on its line.
struct KeyAndValue {
  std::size_t key = 0;
  std::string_view rest;
};

/// Splits `key: value`, where the value may also be on the lines below.
KeyAndValue key_and_value(const Line& line, std::string_view text, std::span<const std::string_view> names) {
  const Place place{line.number, "a line"};
  const std::size_t colon = text.find(':');
  const auto name = std::find(names.begin(), names.end(), text.substr(0, colon));
  if (name == names.end() || colon == std::string_view::npos) {
    refuse(place, "must have one of the keys " + listed(names), text);
  }
  const std::string_view rest = text.substr(colon + 1);
  if (!rest.empty() && rest[0] != ' ')
    refuse(place, "must have a space after " + std::string(*name) + ":", text);
  return {static_cast<std::size_t>(name - names.begin()), without_start(rest)};
}

[[noreturn]] void refuse_second(const Line& line, std::string_view name) {
  line.refuse("must not give " + std::string(name) + ": a second time");
}

Grid grid(const Place& place, std::string_view rest, Body& body) {
  constexpr std::string_view requirement = "must have rows: and cols: on the lines below";
  if (!rest.empty()) refuse(place, requirement, rest);
  std::array<std::int32_t, 2> counts{};
  std::size_t indentation = 0;
  const Line* line = nullptr;
  while ((line = body.peek()) != nullptr && line->indentation() > 0) {
    if (indentation == 0) indentation = line->indentation();
    if (line->indentation() != indentation) line->refuse(same_indentation);
    body.advance();
    const auto [key, digits] = key_and_value(*line, line->text().substr(indentation), grid_keys);
    if (counts[key] != 0) refuse_second(*line, grid_keys[key]);
    counts[key] = count({line->number, grid_keys[key]}, digits);
  }
  if (counts[0] == 0) refuse(place, requirement, counts[1] == 0 ? "" : grid_keys[1]);
  if (counts[1] == 0) refuse(place, requirement, grid_keys[0]);
  return {counts[0], counts[1]};
}

/// A note as the release prints it: over several lines, with quotes inside, up to the items.
std::string unescaped_note(const Place& place, Body& body) {
  const Line first = body.latest();
  const auto more = body.take_before({"items:", "items: []"});
  if (!more) refuse(place, "must be one escaped string or be followed by items:", first.text());
  std::vector<Line> lines{{first.number, first.raw.substr(first.raw.find('"') + 1)}};
  lines.insert(lines.end(), more->begin(), more->end());
  while (lines.size() > 1 && lines.back().text().empty()) lines.pop_back();
  const Line last = lines.back();
  lines.pop_back();
  if (!last.text().ends_with('"')) {
    refuse({last.number, place.name}, "must end with a double quote", last.text());
  }
  std::string note;
  for (const Line& line : lines) note.append(line.raw).append("\n");
  return note.append(last.text().substr(0, last.text().size() - 1));
}

std::string note(const Place& place, std::string_view rest, Body& body) {
  if (!rest.starts_with('"')) refuse(place, "must be a double-quoted string", rest);
  return string_end(rest) == rest.size() ? string(place, rest) : unescaped_note(place, body);
}

/// An entry of a list: the line that it starts on, and what follows the dash.
struct Entry {
  const Line* line = nullptr;
  std::string_view text;
};

/// The entries of a list, one after another.
class Entries {
 public:
  Entries(const Place& place, std::string_view rest, Body& body) : place_(place), rest_(rest), body_(body) {
    if (!rest.empty() && rest != "[]") refuse_list();
  }

  std::optional<Entry> next() {
    if (!rest_.empty()) return std::nullopt;
    const Line* line = body_.peek();
    if (line == nullptr || !without_start(line->text()).starts_with(dash)) {
      if (!indentation_) refuse_list();
      return std::nullopt;
    }
    if (!indentation_) indentation_ = line->indentation();
    if (line->indentation() != *indentation_) line->refuse(same_indentation);
    body_.advance();
    return Entry{line, line->text().substr(*indentation_ + dash.size())};
  }

 private:
  [[noreturn]] void refuse_list() const {
    refuse(place_, "must be [] or have its entries on the lines below", rest_);
  }

  Place place_;
  std::string_view rest_;
  Body& body_;
  std::optional<std::size_t> indentation_;
};

Item item(const Entry& entry, Body& body) {
  Item result;
  if (entry.text == "{}") return result;
  const std::size_t indentation = entry.line->indentation() + dash.size();
  const Line* line = entry.line;
  std::string_view text = entry.text;
  while (true) {
    const auto [field, rest] = key_and_value(*line, text, fields);
    if (result[field]) refuse_second(*line, fields[field]);
    result[field] = value({line->number, fields[field]}, rest);
    line = body.peek();
    if (line == nullptr || line->indentation() != indentation) return result;
    text = line->text().substr(indentation);
    body.advance();
  }
}

void read_items(Parsed& parsed, Entries entries, Body& body) {
  Items items;
  while (const auto entry = entries.next()) items.add(entry->line->number, item(*entry, body));
  items.move_to(parsed);
}

Scalar endpoint(const Line& line, std::string_view text) {
  constexpr std::string_view start = "p=";
  const Place place{line.number, "an end of a relation"};
  if (text.starts_with(start)) return number(place, text.substr(start.size()));
  std::string name;
  if (text.starts_with('"')) name = string(place, text);
  if (!name.starts_with(start))
    refuse(place, R"(must be p= and a number, or "p=..." in double quotes)", text);
  return {Scalar::Kind::text, name.substr(start.size())};
}

NamedRelation relation(const Line& line, std::string_view text) {
  const Place place{line.number, "a relation"};
  std::vector<std::string_view> elements;
  if (text.starts_with('[')) elements = split_list(place, text);
  if (elements.size() != 3) refuse(place, "must be a list of p=, a predicate and p=", text);
  NamedRelation result;
  result.a = endpoint(line, elements[0]);
  result.predicate = text_value({line.number, "a predicate"}, elements[1]);
  result.b = endpoint(line, elements[2]);
  return result;
}

std::vector<NamedRelation> relations(Entries entries) {
  std::vector<NamedRelation> result;
  while (const auto entry = entries.next()) result.push_back(relation(*entry->line, entry->text));
  return result;
}

void read_key(Parsed& parsed, std::size_t key, const Place& place, std::string_view rest, Body& body) {
  Program& program = parsed.program;
  switch (key) {
    case key_modality:
      program.modality = text_value(place, rest);
      break;
    case key_granularity:
      program.granularity = text_value(place, rest);
      break;
    case key_grid:
      program.grid = grid(place, rest, body);
      break;
    case key_note:
      program.note = note(place, rest, body);
      break;
    case key_items:
      read_items(parsed, Entries(place, rest, body), body);
      break;
    default:
      program.relations = relations(Entries(place, rest, body));
      break;
  }
}

Parsed program_of_paper(Body body) {
  Parsed parsed;
  parsed.program.relations = std::vector<NamedRelation>{};
  std::array<bool, keys.size()> found{};
  while (const Line* line = body.peek()) {
    if (line->indentation() > 0) line->refuse(same_indentation);
    body.advance();
    const auto [key, rest] = key_and_value(*line, line->text(), keys);
    if (found[key]) refuse_second(*line, keys[key]);
    found[key] = true;
    read_key(parsed, key, {line->number, keys[key]}, rest, body);
  }
  for (const std::size_t key : {key_modality, key_granularity, key_items}) {
    if (!found[key]) body.end().refuse("must not end the program before " + std::string(keys[key]) + ":");
  }
  return parsed;
}

Parsed program_of(Block block) {
  if (block.start().starts_with('{')) return program_of_json(block);
  const bool is_compact = block.start().starts_with(compact);
  Body body(std::move(block));
  return is_compact ? program_of_compact(std::move(body)) : program_of_paper(std::move(body));
}

}  // namespace
}  // namespace parsing

Program parse(std::string_view text) {
  auto [program, lines] = parsing::program_of(parsing::block_of(text));
  if (const auto repeated = repeated_id(program)) {
    throw ParseError("line " + std::to_string(lines[repeated->index]) + ": " + repeated->message);
  }
  resolve_relations(program);
  return std::move(program);
}

}  // namespace percepts

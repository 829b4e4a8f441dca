#include "parse_json.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_tokens.hpp"
#include "parse_items.hpp"
#include "parse_value.hpp"

namespace percepts::parsing {
namespace {

constexpr std::array<std::string_view, 6> keys{"modality", "granularity", "grid",
                                               "note",     "items",       "relations"};
constexpr std::array<std::string_view, 3> required_keys{"modality", "granularity", "items"};
constexpr std::array<std::string_view, 2> grid_keys{"rows", "cols"};

Grid grid(JsonTokens& tokens, std::string_view name) {
  std::array<std::int32_t, 2> counts{};
  tokens.members(name, grid_keys, grid_keys,
                 [&](std::size_t key) { counts[key] = tokens.count(grid_keys[key]); });
  return {counts[0], counts[1]};
}

Scalar scalar(JsonTokens& tokens, std::string_view name) {
  const char first = tokens.peek();
  if (starts_like_number({&first, 1})) return tokens.number(name);
  return {Scalar::Kind::text,
          tokens.string(name, "must be a double-quoted string, a number or a flat list of these")};
}

Value value(JsonTokens& tokens, std::string_view name) {
  Value result;
  result.is_list = tokens.peek() == '[';
  const auto read = [&] { result.scalars.push_back(scalar(tokens, name)); };
  if (result.is_list) {
    tokens.elements(name, read);
  } else {
    read();
  }
  return result;
}

Item item(JsonTokens& tokens) {
  Item result;
  tokens.members("an item", fields, {},
                 [&](std::size_t field) { result[field] = value(tokens, fields[field]); });
  return result;
}

void read_items(Parsed& parsed, JsonTokens& tokens, std::string_view name) {
  Items items;
  tokens.elements(name, [&] {
    const std::size_t line = tokens.line();
    items.add(line, item(tokens));
  });
  items.move_to(parsed);
}

Scalar endpoint(const JsonTokens& tokens, const std::string& part) {
  if (!part.starts_with("p=")) {
    tokens.refuse_last("an end of a relation", R"(must be "p=..." in double quotes)", part);
  }
  return {Scalar::Kind::text, part.substr(2)};
}

NamedRelation relation(JsonTokens& tokens) {
  std::vector<std::string> parts;
  tokens.elements("a relation", [&] { parts.push_back(tokens.string("a part of a relation")); });
  if (parts.size() != 3) {
    const std::vector<std::string_view> got(parts.begin(), parts.end());
    tokens.refuse_last("a relation", R"(must be a list of "p=...", a predicate and "p=...")", listed(got));
  }
  NamedRelation result;
  result.a = endpoint(tokens, parts[0]);
  result.predicate = std::move(parts[1]);
  result.b = endpoint(tokens, parts[2]);
  return result;
}

std::vector<NamedRelation> relations(JsonTokens& tokens, std::string_view name) {
  std::vector<NamedRelation> result;
  tokens.elements(name, [&] { result.push_back(relation(tokens)); });
  return result;
}

void read_key(Parsed& parsed, JsonTokens& tokens, std::string_view key) {
  Program& program = parsed.program;
  if (key == "modality") {
    program.modality = tokens.string(key);
  } else if (key == "granularity") {
    program.granularity = tokens.string(key);
  } else if (key == "grid") {
    program.grid = grid(tokens, key);
  } else if (key == "note") {
    program.note = tokens.string(key);
  } else if (key == "items") {
    read_items(parsed, tokens, key);
  } else {
    program.relations = relations(tokens, key);
  }
}

}  // namespace

Parsed program_of_json(const Block& block) {
  JsonTokens tokens(block);
  Parsed parsed;
  parsed.program.relations = std::vector<NamedRelation>{};
  tokens.members("a program", keys, required_keys,
                 [&](std::size_t key) { read_key(parsed, tokens, keys[key]); });
  tokens.must_end();
  return parsed;
}

}  // namespace percepts::parsing

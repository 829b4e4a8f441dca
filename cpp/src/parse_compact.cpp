#include "parse_compact.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compact_tokens.hpp"
#include "parse_items.hpp"
#include "parse_string.hpp"
#include "parse_text.hpp"
#include "parse_value.hpp"
#include "percepts/values.hpp"

namespace percepts::parsing {
namespace {

constexpr std::string_view note_start = "note ";
constexpr std::string_view items_start = "items:";
constexpr std::string_view numbered_start = "p=1..";
constexpr std::string_view xs_start = "x=";
constexpr std::string_view y_start = "y=";
constexpr std::string_view symbols = ">=~";

constexpr std::size_t field_p = 0;
constexpr std::size_t field_c = 2;

/// What the line `items:` says.
struct Columns {
  std::vector<std::size_t> written;   ///< fields whose values are on the lines of the items
  std::optional<std::int32_t> count;  ///< how many items there are, where p is 1, 2, 3, …
  std::vector<Scalar> xs;             ///< the x of each item of a row, where c is [x, y]
};

Line next_line(Body& body, std::string_view start) {
  const Line* line = body.peek();
  if (line == nullptr) {
    body.end().refuse("must not end the program before " + std::string(without_end(start)));
  }
  if (line->indentation() > 0) line->refuse("must not be indented in its program");
  body.advance();
  return *line;
}

void read_first(Program& program, const Line& line) {
  constexpr std::string_view requirement =
      "must be compact, a modality, a granularity and, for a grid, ROWSxCOLS";
  CompactTokens tokens(line, compact.size());
  tokens.spaces();
  program.modality = tokens.text("modality");
  if (!tokens.spaces() || tokens.at_end()) line.refuse(requirement);
  program.granularity = tokens.text("granularity");
  if (!tokens.spaces()) line.refuse(requirement);
  if (tokens.at_end()) return;
  const std::size_t times = tokens.rest().find('x');
  if (times == std::string_view::npos) line.refuse(requirement);
  const std::int32_t rows = count(tokens.place("rows"), tokens.rest().substr(0, times));
  program.grid = Grid{rows, count(tokens.place("cols"), tokens.rest().substr(times + 1))};
}

std::string note(const Line& line) {
  const Place place{line.number, "note"};
  const std::string_view text = without_start(line.text().substr(note_start.size()));
  if (!text.starts_with('"')) refuse(place, "must be a double-quoted string", text);
  return string(place, text);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Takes what a token of the line `items:` says, and returns its field.
std::size_t read_column(Columns& columns, const Line& line, std::string_view token) {
  if (token.starts_with(numbered_start)) {
    columns.count = count({line.number, "p"}, token.substr(numbered_start.size()));
    return field_p;
  }
  if (token.starts_with(xs_start)) {
    columns.xs.clear();
    for (const std::string_view x : split(token.substr(xs_start.size()), ',')) {
      columns.xs.push_back(short_number({line.number, "x"}, x));
    }
    return field_c;
  }
  const auto field =
      static_cast<std::size_t>(std::find(fields.begin(), fields.end(), token) - fields.begin());
  columns.written.push_back(field);
  return field;
}

Columns columns_of(const Line& line) {
  const std::vector<std::string_view> tokens = split(line.text(), ' ');
  if (tokens[0] != items_start) line.refuse("must be items: and the names of its columns");
  Columns columns;
  std::array<bool, fields.size()> found{};
  for (const std::string_view token : std::span(tokens).subspan(1)) {
    if (token.empty()) continue;
    const std::size_t field = read_column(columns, line, token);
    if (field == fields.size() || found[field]) {
      refuse({line.number, "a line"},
             "must have only p, i, c, r, b, p=1..N for p, and x=X,X for c behind items:, none twice", token);
    }
    found[field] = true;
  }
  const bool any = std::find(found.begin(), found.end(), true) != found.end();
  if (any && columns.written.empty()) line.refuse("must have a column with values on the lines below");
  return columns;
}

[[noreturn]] void refuse_item(const Line& line, const Columns& columns) {
  if (columns.written.empty()) line.refuse("must not be an item");
  std::vector<std::string_view> names;
  for (const std::size_t field : columns.written) names.push_back(fields[field]);
  line.refuse("must have values for " + listed(names));
}

Item item(const Line& line, const Columns& columns) {
  Item result;
  CompactTokens tokens(line);
  for (const std::size_t field : columns.written) {
    if (tokens.at_end()) refuse_item(line, columns);
    result[field] = tokens.value(fields[field]);
    if (!tokens.spaces()) tokens.refuse_next(fields[field], compact_value);
  }
  if (!tokens.at_end()) refuse_item(line, columns);
  return result;
}

/// Reads the lines of the items, and those before the items of a row.
class ItemLines {
 public:
  explicit ItemLines(Columns columns) : columns_(std::move(columns)) {}

  void add(const Line& line) {
    const bool starts_row = !columns_.xs.empty() && !y_;
    if (starts_row != line.text().starts_with(y_start)) {
      line.refuse("must be y= and a number before the items of each row, and only there");
    }
    if (starts_row) {
      y_ = short_number({line.number, "y"}, line.text().substr(y_start.size()));
    } else {
      add_item(line, item(line, columns_));
    }
  }

  /// The items, which `following` must be allowed to come behind.
  Items finished(const Line& following) {
    if (y_) {
      following.refuse("must come behind the " + std::to_string(columns_.xs.size()) + " items of a row");
    }
    if (columns_.count && items_.size() != static_cast<std::size_t>(*columns_.count)) {
      following.refuse("must come behind " + std::to_string(*columns_.count) + " items, not " +
                       std::to_string(items_.size()));
    }
    return std::move(items_);
  }

 private:
  void add_item(const Line& line, Item item) {
    const std::size_t index = items_.size();
    if (columns_.count) {
      item[field_p] = Value{.is_list = false, .scalars = {integer(static_cast<std::int64_t>(index) + 1)}};
    }
    if (y_) {
      const std::size_t col = index % columns_.xs.size();
      item[field_c] = Value{.is_list = true, .scalars = {columns_.xs[col], *y_}};
      if (col + 1 == columns_.xs.size()) y_.reset();
    }
    items_.add(line.number, std::move(item));
  }

  Columns columns_;
  Items items_;
  std::optional<Scalar> y_;  ///< of the row that is being read
};

void read_items(Parsed& parsed, Body& body, Columns columns) {
  ItemLines lines(std::move(columns));
  const Line* line = nullptr;
  while ((line = body.peek()) != nullptr && symbols.find(line->text()[0]) == std::string_view::npos) {
    lines.add(next_line(body, items_start));
  }
  lines.finished(line == nullptr ? body.end() : *line).move_to(parsed);
}

/// What the symbols of a line of relations stand for.
struct Legend {
  std::string taken;  ///< symbols, in the order of `predicates`
  std::vector<std::string> predicates;
};

constexpr std::string_view pair_requirement = "must be two ends with a symbol of its line between them";

Legend legend_of(CompactTokens& tokens) {
  constexpr std::string_view requirement =
      "must start with a symbol (>, = or ~) and its predicate, each symbol once, and : behind the last";
  constexpr std::string_view name = "a line of relations";
  Legend legend;
  do {
    tokens.spaces();
    std::string free(symbols);
    std::erase_if(free, [&](char symbol) { return legend.taken.find(symbol) != std::string::npos; });
    const char symbol = tokens.take_any(free);
    if (symbol == 0) tokens.refuse_next(name, requirement);
    tokens.spaces();
    const std::string_view token = tokens.until(",:");
    legend.taken += symbol;
    legend.predicates.push_back(text_value(tokens.place("a predicate"), token));
  } while (tokens.take(','));
  if (!tokens.take(':')) tokens.refuse_next(name, requirement);
  tokens.spaces();
  if (tokens.at_end()) tokens.refuse_next("a relation", pair_requirement);
  return legend;
}

void read_relations(std::vector<NamedRelation>& relations, const Line& line) {
  CompactTokens tokens(line);
  const Legend legend = legend_of(tokens);
  while (!tokens.at_end()) {
    NamedRelation relation;
    relation.a = tokens.scalar("an end of a relation");
    const char symbol = tokens.take_any(legend.taken);
    if (symbol == 0) tokens.refuse_next("a relation", pair_requirement);
    relation.predicate = legend.predicates[legend.taken.find(symbol)];
    relation.b = tokens.scalar("an end of a relation");
    if (!tokens.spaces()) tokens.refuse_next("a relation", pair_requirement);
    relations.push_back(std::move(relation));
  }
}

}  // namespace

Parsed program_of_compact(Body body) {
  Parsed parsed;
  Program& program = parsed.program;
  read_first(program, next_line(body, compact));
  Line line = next_line(body, items_start);
  if (line.text().starts_with(note_start)) {
    program.note = note(line);
    line = next_line(body, items_start);
  }
  read_items(parsed, body, columns_of(line));
  std::vector<NamedRelation> relations;
  while (body.peek() != nullptr) read_relations(relations, next_line(body, ""));
  program.relations = std::move(relations);
  return parsed;
}

}  // namespace percepts::parsing

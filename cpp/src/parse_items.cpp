#include "parse_items.hpp"

#include <algorithm>
#include <utility>

namespace percepts::parsing {
namespace {

Column column_of(std::vector<std::optional<Value>> values) {
  const auto has_value = [](const std::optional<Value>& value) { return value.has_value(); };
  if (std::none_of(values.begin(), values.end(), has_value)) return column::Absent{};
  return column::Values{std::move(values)};
}

}  // namespace

void Items::add(std::size_t line, Item item) {
  lines_.push_back(line);
  for (std::size_t field = 0; field < fields.size(); ++field) {
    columns_[field].push_back(std::move(item[field]));
  }
}

void Items::move_to(Parsed& parsed) {
  Program& program = parsed.program;
  program.size = size();
  program.p = column_of(std::move(columns_[0]));
  program.i = column_of(std::move(columns_[1]));
  program.c = column_of(std::move(columns_[2]));
  program.r = column_of(std::move(columns_[3]));
  program.b = column_of(std::move(columns_[4]));
  parsed.lines = std::move(lines_);
}

}  // namespace percepts::parsing

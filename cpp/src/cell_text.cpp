#include "src/cell_text.hpp"

#include <algorithm>
#include <cmath>

#include "src/number_text.hpp"
#include "src/reading_text.hpp"
#include "src/text_block.hpp"

namespace percepts {
namespace {

/// Room for the words and brackets around the values of one item or relation.
constexpr std::size_t around_values = 64;

/// Readings `[min, max]`.
struct Ranges {
  static constexpr std::size_t room = 2 * reading_room;
  const float* values;

  char* write_item(char* to, std::size_t index) const {
    const float low = values[2 * index];
    const float high = values[2 * index + 1];
    if (std::isnan(low)) return write(to, "unknown");
    to = write(to, "[");
    to = write_reading(to, low);
    to = write(to, ", ");
    to = write_reading(to, high);
    return write(to, "]");
  }
};

/// Readings of one word.
struct OneOfWords {
  static constexpr std::size_t room = ShortWord::room;
  std::vector<ShortWord> words;
  const std::uint8_t* index_of;

  char* write_item(char* to, std::size_t index) const { return words[index_of[index]].write(to); }
};

char* write_center(char* to, const std::int32_t* center) {
  to = write(to, "[");
  to = write_integer(to, center[0]);
  to = write(to, ", ");
  to = write_integer(to, center[1]);
  return write(to, "]");
}

template <class Readings>
void append_items(std::string& out, std::size_t size, const std::int32_t* centers, const Readings& readings) {
  constexpr std::size_t item_room = around_values + 3 * integer_room + Readings::room;
  TextBlock block(out);
  for (std::size_t index = 0; index < size; ++index) {
    char* to = block.room(item_room);
    to = write(to, "\n  - p: ");
    to = write_integer(to, static_cast<std::int64_t>(index) + 1);
    to = write(to, "\n    c: ");
    to = write_center(to, centers + 2 * index);
    to = write(to, "\n    r: ");
    to = readings.write_item(to, index);
    block.end_at(to);
  }
  block.flush();
}

bool all_fit(const std::vector<std::string_view>& words) {
  return std::all_of(words.begin(), words.end(), &ShortWord::fits);
}

/// The centres, where items are numbered cells without other fields.
const std::int32_t* centers_of(const Program& program) {
  const auto* centers = std::get_if<column::Integers>(&program.c);
  const bool cells = centers != nullptr && centers->width == 2 && program.size > 0 &&
                     std::holds_alternative<column::Ordinal>(program.p) &&
                     std::holds_alternative<column::Absent>(program.i) &&
                     std::holds_alternative<column::Absent>(program.b);
  return cells ? centers->values.data() : nullptr;
}

}  // namespace

bool append_cells(std::string& out, const Program& program) {
  const std::int32_t* const centers = centers_of(program);
  if (centers == nullptr) return false;
  if (const auto* reals = std::get_if<column::Reals>(&program.r);
      reals != nullptr && reals->width == 2 && reals->format == NumberFormat::general4) {
    append_items(out, program.size, centers, Ranges{reals->values.data()});
    return true;
  }
  if (const auto* words = std::get_if<column::Words>(&program.r); words != nullptr && all_fit(words->words)) {
    const OneOfWords readings{{words->words.begin(), words->words.end()}, words->index.data()};
    append_items(out, program.size, centers, readings);
    return true;
  }
  return false;
}

bool append_cell_relations(std::string& out, const CellRelations& relations) {
  constexpr std::size_t relation_room = around_values + 2 * integer_room + ShortWord::room;
  if (!all_fit(relations.predicates)) return false;
  const std::vector<ShortWord> predicates(relations.predicates.begin(), relations.predicates.end());
  TextBlock block(out);
  for (const auto& [a, b, predicate] : relations.pairs) {
    char* to = block.room(relation_room);
    to = write(to, "\n  - [p=");
    to = write_integer(to, a);
    to = write(to, ", ");
    to = predicates[predicate].write(to);
    to = write(to, ", p=");
    to = write_integer(to, b);
    to = write(to, "]");
    block.end_at(to);
  }
  block.flush();
  return true;
}

}  // namespace percepts

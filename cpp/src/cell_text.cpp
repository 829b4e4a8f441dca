#include "src/cell_text.hpp"

#include <algorithm>
#include <cmath>

#include "src/escape.hpp"
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

/// Readings of one number.
struct Numbers {
  static constexpr std::size_t room = reading_room;
  const float* values;

  char* write_item(char* to, std::size_t index) const {
    return std::isnan(values[index]) ? write(to, "unknown") : write_reading(to, values[index]);
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

/// The lines of the items' labels, each made once.
class LabelLines {
 public:
  static constexpr std::size_t longest = 1024;

  explicit LabelLines(const Column& column) {
    const auto* labels = std::get_if<column::Labels>(&column);
    if (labels == nullptr) return;
    index_of_ = labels->index.data();
    for (const std::string& name : labels->names) {
      lines_.emplace_back("\n    b: ");
      append_quoted(lines_.back(), name);
      room_ = std::max(room_, lines_.back().size());
    }
  }

  std::size_t room() const { return room_; }

  char* write(char* to, std::size_t item) const {
    if (index_of_ == nullptr) return to;
    const std::string& line = lines_[static_cast<std::size_t>(index_of_[item])];
    return to + line.copy(to, line.size());
  }

 private:
  std::vector<std::string> lines_;
  const std::int32_t* index_of_ = nullptr;  ///< null without labels
  std::size_t room_ = 0;
};

template <class Readings>
void append_items(std::string& out, std::size_t size, const std::int32_t* centers, const Readings& readings,
                  const LabelLines& labels) {
  const std::size_t item_room = around_values + 3 * integer_room + Readings::room + labels.room();
  TextBlock block(out);
  for (std::size_t index = 0; index < size; ++index) {
    char* to = block.room(item_room);
    to = write(to, "\n  - p: ");
    to = write_integer(to, static_cast<std::int64_t>(index) + 1);
    to = write(to, "\n    c: ");
    to = write_center(to, centers + 2 * index);
    to = write(to, "\n    r: ");
    to = readings.write_item(to, index);
    to = labels.write(to, index);
    block.end_at(to);
  }
  block.flush();
}

bool all_fit(const std::vector<std::string_view>& words) {
  return std::all_of(words.begin(), words.end(), &ShortWord::fits);
}

/// The centres, where items are numbered cells without other fields than a reading and perhaps a label.
const std::int32_t* centers_of(const Program& program) {
  const auto* centers = std::get_if<column::Integers>(&program.c);
  const bool cells = centers != nullptr && centers->width == 2 && program.size > 0 &&
                     std::holds_alternative<column::Ordinal>(program.p) &&
                     std::holds_alternative<column::Absent>(program.i) &&
                     (std::holds_alternative<column::Absent>(program.b) ||
                      std::holds_alternative<column::Labels>(program.b));
  return cells ? centers->values.data() : nullptr;
}

}  // namespace

bool append_cells(std::string& out, const Program& program) {
  const std::int32_t* const centers = centers_of(program);
  if (centers == nullptr) return false;
  const LabelLines labels(program.b);
  if (labels.room() > LabelLines::longest) return false;
  if (const auto* reals = std::get_if<column::Reals>(&program.r);
      reals != nullptr && reals->width <= 2 && reals->format == NumberFormat::general4) {
    if (reals->width == 2) {
      append_items(out, program.size, centers, Ranges{reals->values.data()}, labels);
    } else {
      append_items(out, program.size, centers, Numbers{reals->values.data()}, labels);
    }
    return true;
  }
  if (const auto* words = std::get_if<column::Words>(&program.r); words != nullptr && all_fit(words->words)) {
    const OneOfWords readings{{words->words.begin(), words->words.end()}, words->index.data()};
    append_items(out, program.size, centers, readings, labels);
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

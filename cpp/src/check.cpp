#include "src/check.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "percepts/error.hpp"
#include "percepts/values.hpp"
#include "src/message.hpp"
#include "src/parse_value.hpp"
#include "src/value_text.hpp"

namespace percepts {
namespace {

/// The image that an item's p belongs to, as printed; empty where p stands alone.
std::string image_of(const Program& program, std::size_t index) {
  std::string image;
  if (program.modality == "jigsaw" && has_value(program.i, index)) append_value(image, program.i, index, {});
  return image;
}

std::string with_image(std::string p, const std::string& image) {
  if (!image.empty()) p.append(" of image ").append(image);
  return p;
}

/// What tells an item from all others: a number counts as the text of its digits.
std::string identity(const Program& program, std::size_t index) {
  std::string p;
  append_value(p, program.p, index, {});
  if (!p.starts_with('[') && !p.starts_with('"')) p = '"' + p + '"';
  return with_image(std::move(p), image_of(program, index));
}

std::string shown_id(const Program& program, std::size_t index) {
  std::string p;
  append_value(p, program.p, index, words_of_p(program.modality));
  return with_image(std::move(p), image_of(program, index));
}

/// How many items a column has values for.
struct Height {
  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

  std::size_t operator()(const column::Absent&) const { return any; }
  std::size_t operator()(const column::Ordinal&) const { return any; }
  std::size_t operator()(const column::Integers& column) const { return of_lists(column); }
  std::size_t operator()(const column::Reals& column) const { return of_lists(column); }
  std::size_t operator()(const column::Words& column) const { return column.index.size(); }
  std::size_t operator()(const column::Labels& column) const { return column.index.size(); }
  std::size_t operator()(const column::Values& column) const { return column.values.size(); }

 private:
  template <class Lists>
  static std::size_t of_lists(const Lists& column) {
    return column.width == 0 ? 0 : column.values.size() / column.width;
  }
};

/// Whether each value of a column can be printed.
struct IsPrintable {
  bool operator()(const column::Words& column) const {
    return std::all_of(column.index.begin(), column.index.end(),
                       [&](std::uint8_t index) { return index < column.words.size(); });
  }

  bool operator()(const column::Labels& column) const {
    return std::all_of(column.index.begin(), column.index.end(), [&](std::int32_t index) {
      return std::cmp_less(index, column.names.size()) && index >= 0;
    });
  }

  bool operator()(const column::Values& column) const {
    return std::all_of(column.values.begin(), column.values.end(), [](const std::optional<Value>& value) {
      return !value || value->is_list || !value->scalars.empty();
    });
  }

  template <class Numbers>
  bool operator()(const Numbers&) const {
    return true;
  }
};

bool is_printable(const Scalar& scalar) {
  return scalar.kind == Scalar::Kind::text || parsing::is_number(scalar.text);
}

/// What follows a number in its text would stand in the program's as it is.
void check_number(std::string_view where, const Scalar& scalar) {
  if (is_printable(scalar)) return;
  constexpr std::size_t shown = 40;
  throw InvalidArgument(message(where,
                                " must have numbers as they are printed, such as 12, -0.5 or 1.0e-05, got ",
                                std::string_view(scalar.text).substr(0, shown)));
}

void check_numbers(std::string_view where, const Column& column, std::size_t size) {
  const auto* given = std::get_if<column::Values>(&column);
  if (given == nullptr) return;
  for (std::size_t index = 0; index < size; ++index) {
    if (!given->values[index]) continue;
    for (const Scalar& scalar : given->values[index]->scalars) check_number(where, scalar);
  }
}

void check_relations(const CellRelations& relations, std::size_t size) {
  const auto is_item = [size](std::int32_t p) { return p >= 1 && std::cmp_less_equal(p, size); };
  for (const auto& [a, b, predicate] : relations.pairs) {
    if (predicate >= relations.predicates.size()) {
      throw InvalidArgument(message("relations must have only indices of their ", relations.predicates.size(),
                                    " predicates, got ", static_cast<int>(predicate)));
    }
    if (!is_item(a) || !is_item(b)) {
      throw InvalidArgument(
          message("relations must be between two of the ", size, " items, got ", a, " and ", b));
    }
  }
}

void check_relations(const std::vector<NamedRelation>& relations, std::size_t) {
  for (const NamedRelation& relation : relations) {
    check_number("relations", relation.a);
    check_number("relations", relation.b);
  }
}

void check_column(std::string_view name, const Column& column, std::size_t size) {
  const std::size_t height = std::visit(Height{}, column);
  if (height < size) {
    throw InvalidArgument(
        message("column ", name, " must have a value for each item, got ", height, " for ", size));
  }
  if (!std::visit(IsPrintable{}, column)) {
    throw InvalidArgument(
        message("column ", name, " must have only indices of its words and values of at least one scalar"));
  }
  check_numbers(message("column ", name), column, size);
}

}  // namespace

std::optional<RepeatedId> repeated_id(const Program& program) {
  const bool is_given =
      std::holds_alternative<column::Values>(program.p) || std::holds_alternative<column::Labels>(program.p);
  if (!is_given) return std::nullopt;
  std::unordered_set<std::string> seen;
  for (std::size_t index = 0; index < program.size; ++index) {
    if (!has_value(program.p, index)) continue;
    if (!seen.insert(identity(program, index)).second) {
      return RepeatedId{index, message("p must be unique within a program, got ", shown_id(program, index),
                                       " more than once")};
    }
  }
  return std::nullopt;
}

void check(const Program& program) {
  if (program.grid) check_grid(*program.grid);
  check_column("p", program.p, program.size);
  check_column("i", program.i, program.size);
  check_column("c", program.c, program.size);
  check_column("r", program.r, program.size);
  check_column("b", program.b, program.size);
  std::visit([&](const auto& relations) { check_relations(relations, program.size); }, program.relations);
  if (const auto repeated = repeated_id(program)) throw InvalidArgument(repeated->message);
}

}  // namespace percepts

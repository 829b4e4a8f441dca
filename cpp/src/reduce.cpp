#include "percepts/reduce.hpp"

#include <algorithm>
#include <utility>

#include "percepts/error.hpp"
#include "percepts/values.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

using Indices = std::span<const std::size_t>;

template <class T>
std::vector<T> rows_of(const std::vector<T>& values, std::size_t width, Indices indices) {
  std::vector<T> rows;
  rows.reserve(width * indices.size());
  for (const std::size_t index : indices) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(index * width);
    rows.insert(rows.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  return rows;
}

/// Some of the values of a column.
struct Picked {
  Indices indices;

  Column operator()(const column::Absent& column) const { return column; }
  Column operator()(const column::Ordinal& column) const { return column; }

  Column operator()(column::Integers column) const {
    column.values = rows_of(column.values, column.width, indices);
    return column;
  }

  Column operator()(column::Reals column) const {
    column.values = rows_of(column.values, column.width, indices);
    return column;
  }

  Column operator()(column::Words column) const {
    column.index = rows_of(column.index, 1, indices);
    return column;
  }

  Column operator()(column::Labels column) const {
    column.index = rows_of(column.index, 1, indices);
    return column;
  }

  Column operator()(const column::Values& column) const {
    return column::Values{rows_of(column.values, 1, indices)};
  }
};

/// Whether the items are numbered 1, 2, …
bool is_ordinal(const Column& p) {
  if (std::holds_alternative<column::Ordinal>(p)) return true;
  const auto* column = std::get_if<column::Values>(&p);
  if (column == nullptr) return false;
  for (std::size_t index = 0; index < column->values.size(); ++index) {
    const std::optional<Value>& value = column->values[index];
    const bool is_number = value && !value->is_list && value->scalars.front().kind == Scalar::Kind::number;
    if (!is_number || value->scalars.front().text != std::to_string(index + 1)) return false;
  }
  return true;
}

NamedArray picked(NamedArray array, std::size_t size, Indices indices) {
  if (array.shape.rank == 0 || std::cmp_not_equal(array.shape.sizes[0], size) || size == 0) return array;
  std::visit([&](auto& values) { values = rows_of(values, values.size() / size, indices); }, array.values);
  array.shape.sizes[0] = static_cast<std::int64_t>(indices.size());
  return array;
}

}  // namespace

Program without_relations(Program program) {
  program.relations = {};
  if (program.note) program.note = note_without_relations(std::move(*program.note));
  if (program.origin) program.origin->in_front.reset();
  return program;
}

Program pick_items(const Program& program, Indices indices) {
  const auto is_item = [&](std::size_t index) { return index < program.size; };
  if (!std::all_of(indices.begin(), indices.end(), is_item)) {
    throw InvalidArgument(message("indices must be below the number of items, ", program.size));
  }
  Program part = program;
  part.origin.reset();
  part.size = indices.size();
  if (is_ordinal(program.p)) part.p = column::Ordinal{};
  for (Column* column : {&part.p, &part.i, &part.c, &part.r, &part.b}) {
    *column = std::visit(Picked{indices}, std::as_const(*column));
  }
  for (NamedArray& array : part.arrays) array = picked(std::move(array), program.size, indices);
  check(part);
  return part;
}

}  // namespace percepts

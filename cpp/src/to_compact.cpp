#include "src/to_compact.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/compact_relations.hpp"
#include "src/compact_scalar.hpp"
#include "src/escape.hpp"
#include "src/number_text.hpp"
#include "src/tell_value.hpp"
#include "src/value_text.hpp"

namespace percepts {
namespace {

/// Lists have commas between their elements; brackets only where there is no comma to show a list.
struct CompactNotation {
  std::string& out;

  void open(std::size_t size) { append_bracket(size, '['); }
  void next() { out += ','; }
  void close(std::size_t size) { append_bracket(size, ']'); }
  void number(std::string_view digits) { append_compact_number(out, digits); }
  void text(std::string_view utf8) { append_compact_text(out, utf8); }

 private:
  void append_bracket(std::size_t size, char bracket) {
    if (size < 2) out += bracket;
  }
};

/// The two numbers of a value, if that is what it is.
class PairNotation {
 public:
  void open(std::size_t size) { is_pair_ = size == 2; }
  void next() { second_ = true; }
  void close(std::size_t) {}
  void number(std::string_view digits) { pair_[second_ ? 1 : 0] = digits; }
  void text(std::string_view) { is_pair_ = false; }

  const std::array<std::string, 2>* pair() const { return is_pair_ ? &pair_ : nullptr; }

 private:
  std::array<std::string, 2> pair_;
  bool is_pair_ = false;
  bool second_ = false;
};

/// Whether p is 1, 2, 3, …
bool is_numbered(const Program& program) {
  if (std::holds_alternative<column::Ordinal>(program.p)) return true;
  const auto* column = std::get_if<column::Values>(&program.p);
  if (column == nullptr) return false;
  for (std::size_t index = 0; index < program.size; ++index) {
    const std::optional<Value>& value = column->values[index];
    if (!value || value->is_list) return false;
    const Scalar& p = value->scalars.front();
    if (p.kind != Scalar::Kind::number || p.text != std::to_string(index + 1)) return false;
  }
  return true;
}

/// The x of each column of the grid, where c is [x, y] with one y a row; else nothing.
std::vector<std::string> lattice_xs(const Program& program) {
  if (!program.grid || program.grid->cols < 2) return {};
  if (static_cast<std::uint64_t>(program.grid->cells()) != program.size) return {};
  const auto cols = static_cast<std::size_t>(program.grid->cols);
  std::vector<std::string> xs;
  std::string y;
  for (std::size_t index = 0; index < program.size; ++index) {
    if (!has_value(program.c, index)) return {};
    PairNotation notation;
    tell_value(program.c, index, notation);
    if (notation.pair() == nullptr) return {};
    const auto& [item_x, item_y] = *notation.pair();
    if (index < cols) xs.push_back(item_x);
    if (index % cols == 0) y = item_y;
    if (item_x != xs[index % cols] || item_y != y) return {};
  }
  return xs;
}

struct Field {
  std::string_view name;
  const Column* column;
};

/// What the line `items:` says once, so that the lines below need not repeat it.
struct Layout {
  std::vector<Field> written;  ///< fields that the lines of the items have
  bool is_numbered = false;    ///< whether p is 1, 2, 3, …
  std::vector<std::string> xs;
};

bool any_has_value(const Column& column, std::size_t size) {
  for (std::size_t index = 0; index < size; ++index) {
    if (has_value(column, index)) return true;
  }
  return false;
}

/// Leaves out what the line `items:` can say, as long as something is left for each item's own line.
Layout layout_of(const Program& program) {
  Layout layout;
  auto& written = layout.written;
  const std::array<Field, 5> fields{
      {{"p", &program.p}, {"i", &program.i}, {"c", &program.c}, {"r", &program.r}, {"b", &program.b}}};
  for (const Field& field : fields) {
    if (any_has_value(*field.column, program.size)) written.push_back(field);
  }
  if (written.empty() && program.size > 0) written.push_back(fields[0]);
  layout.is_numbered = written.size() > 1 && is_numbered(program);
  if (layout.is_numbered) written.erase(written.begin());
  if (written.size() > 1) layout.xs = lattice_xs(program);
  if (!layout.xs.empty()) std::erase_if(written, [](const Field& field) { return field.name == "c"; });
  return layout;
}

void append_columns(std::string& out, const Layout& layout, std::size_t size) {
  out += "\nitems:";
  if (layout.is_numbered) {
    out += " p=1..";
    append_integer(out, static_cast<long long>(size));
  }
  std::string_view separator = " x=";
  for (const std::string& x : layout.xs) {
    out += separator;
    append_compact_number(out, x);
    separator = ",";
  }
  for (const Field& field : layout.written) out.append(" ").append(field.name);
}

void append_y(std::string& out, const Column& c, std::size_t index) {
  PairNotation notation;
  tell_value(c, index, notation);
  out += "\ny=";
  append_compact_number(out, (*notation.pair())[1]);
}

void append_items(std::string& out, const Program& program) {
  const Layout layout = layout_of(program);
  append_columns(out, layout, program.size);
  CompactNotation notation{out};
  for (std::size_t index = 0; index < program.size; ++index) {
    if (!layout.xs.empty() && index % layout.xs.size() == 0) append_y(out, program.c, index);
    char separator = '\n';
    for (const Field& field : layout.written) {
      out += separator;
      separator = ' ';
      if (has_value(*field.column, index)) {
        tell_value(*field.column, index, notation);
      } else {
        out += '-';
      }
    }
  }
}

}  // namespace

void append_compact(std::string& out, const Program& program) {
  out += "compact ";
  append_compact_text(out, program.modality);
  out += ' ';
  append_compact_text(out, program.granularity);
  if (program.grid) {
    out += ' ';
    append_integer(out, program.grid->rows);
    out += 'x';
    append_integer(out, program.grid->cols);
  }
  if (program.note) {
    out += "\nnote ";
    append_quoted(out, *program.note);
  }
  append_items(out, program);
  append_compact_relations(out, program.relations);
}

}  // namespace percepts

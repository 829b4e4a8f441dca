#include <array>

#include "percepts/program.hpp"
#include "src/cell_text.hpp"
#include "src/escape.hpp"
#include "src/number_text.hpp"
#include "src/value_text.hpp"

namespace percepts {
namespace {

struct FieldText {
  std::string_view key;
  const Column& column;
  words::Words fixed;
};

void append_header(std::string& out, const Program& program) {
  out += "<perceptionprogram>\nmodality: ";
  append_word_or_quoted(out, program.modality, words::modalities);
  out += "\ngranularity: ";
  append_word_or_quoted(out, program.granularity, words::granularities);
  if (program.grid) {
    out += "\ngrid:\n  rows: ";
    append_integer(out, program.grid->rows);
    out += "\n  cols: ";
    append_integer(out, program.grid->cols);
  }
  if (program.note) {
    out += "\nnote: ";
    append_quoted(out, *program.note);
  }
  out += "\nitems:";
}

void append_items(std::string& out, const Program& program) {
  if (append_cells(out, program)) return;
  if (program.size == 0) out += " []";
  const std::array<FieldText, 5> fields{{{"p: ", program.p, words_of_p(program.modality)},
                                         {"i: ", program.i, {}},
                                         {"c: ", program.c, {}},
                                         {"r: ", program.r, words::readings},
                                         {"b: ", program.b, {}}}};
  for (std::size_t index = 0; index < program.size; ++index) {
    std::string_view lead = "\n  - ";
    for (const FieldText& field : fields) {
      if (!has_value(field.column, index)) continue;
      out += lead;
      out += field.key;
      append_value(out, field.column, index, field.fixed);
      lead = "\n    ";
    }
    if (lead == "\n  - ") out += "\n  - {}";
  }
}

void append_relations(std::string& out, const CellRelations& relations) {
  if (!relations.pairs.empty()) out += "\nrelations:";
  if (append_cell_relations(out, relations)) return;
  for (const auto& [a, b, predicate] : relations.pairs) {
    out += "\n  - [p=";
    append_integer(out, a);
    out += ", ";
    out += relations.predicates[predicate];
    out += ", p=";
    append_integer(out, b);
    out += ']';
  }
}

void append_endpoint(std::string& out, const Scalar& p) {
  const std::string text = "p=" + p.text;
  if (p.kind == Scalar::Kind::number) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

void append_relations(std::string& out, const std::vector<NamedRelation>& relations) {
  if (!relations.empty()) out += "\nrelations:";
  for (const auto& [a, predicate, b] : relations) {
    out += "\n  - [";
    append_endpoint(out, a);
    out += ", ";
    append_word_or_quoted(out, predicate, words::predicates);
    out += ", ";
    append_endpoint(out, b);
    out += ']';
  }
}

std::size_t count(const CellRelations& relations) { return relations.pairs.size(); }
std::size_t count(const std::vector<NamedRelation>& relations) { return relations.size(); }

/// About what a text takes, so that it is seldom moved while it grows.
std::size_t typical_size(const Program& program) {
  constexpr std::size_t frame = 256;
  constexpr std::size_t item = 56;
  constexpr std::size_t relation = 32;
  const std::size_t relations = std::visit([](const auto& all) { return count(all); }, program.relations);
  return frame + (program.note ? program.note->size() : 0) + program.size * item + relations * relation;
}

}  // namespace

std::string to_text(const Program& program) {
  std::string out;
  out.reserve(typical_size(program));
  append_header(out, program);
  append_items(out, program);
  std::visit([&](const auto& relations) { append_relations(out, relations); }, program.relations);
  out += "\n</perceptionprogram>";
  return out;
}

bool operator==(const Program& left, const Program& right) { return to_text(left) == to_text(right); }

}  // namespace percepts

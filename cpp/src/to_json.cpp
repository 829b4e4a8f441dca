#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "percepts/program.hpp"
#include "src/escape.hpp"
#include "src/number_text.hpp"
#include "src/tell_value.hpp"
#include "src/value_text.hpp"

namespace percepts {
namespace {

/// Values as JSON has them.
struct JsonNotation {
  std::string& out;

  void open(std::size_t) { out += '['; }
  void next() { out += ','; }
  void close(std::size_t) { out += ']'; }
  void number(std::string_view digits) { out += digits; }
  void text(std::string_view utf8) { append_quoted(out, utf8); }
};

struct Member {
  std::string_view key;
  const Column& column;
};

void append_header(std::string& out, const Program& program) {
  out += R"({"modality":)";
  append_quoted(out, program.modality);
  out += R"(,"granularity":)";
  append_quoted(out, program.granularity);
  if (program.grid) {
    out += R"(,"grid":{"rows":)";
    append_integer(out, program.grid->rows);
    out += R"(,"cols":)";
    append_integer(out, program.grid->cols);
    out += '}';
  }
  if (program.note) {
    out += R"(,"note":)";
    append_quoted(out, *program.note);
  }
}

void append_items(std::string& out, const Program& program) {
  JsonNotation notation{out};
  const std::array<Member, 5> members{{{R"("p":)", program.p},
                                       {R"("i":)", program.i},
                                       {R"("c":)", program.c},
                                       {R"("r":)", program.r},
                                       {R"("b":)", program.b}}};
  out += R"(,"items":[)";
  for (std::size_t index = 0; index < program.size; ++index) {
    out += index == 0 ? "\n{" : ",\n{";
    std::string_view separator;
    for (const Member& member : members) {
      if (!has_value(member.column, index)) continue;
      out += separator;
      out += member.key;
      tell_value(member.column, index, notation);
      separator = ",";
    }
    out += '}';
  }
  out += ']';
}

/// Appends the relations, one after another.
class AppendRelations {
 public:
  explicit AppendRelations(std::string& out) : out_(out) {}

  void operator()(const CellRelations& relations) {
    for (const auto& [a, b, predicate] : relations.pairs) {
      append(std::to_string(a), relations.predicates[predicate], std::to_string(b));
    }
  }

  void operator()(const std::vector<NamedRelation>& relations) {
    for (const auto& [a, predicate, b] : relations) append(a.text, predicate, b.text);
  }

  void end() {
    if (any_) out_ += ']';
  }

 private:
  void append(const std::string& a, std::string_view predicate, const std::string& b) {
    out_ += any_ ? ",\n[" : ",\"relations\":[\n[";
    append_quoted(out_, "p=" + a);
    out_ += ',';
    append_quoted(out_, predicate);
    out_ += ',';
    append_quoted(out_, "p=" + b);
    out_ += ']';
    any_ = true;
  }

  std::string& out_;
  bool any_ = false;
};

}  // namespace

std::string to_json(const Program& program) {
  constexpr std::size_t typical_item = 64;
  std::string out;
  out.reserve(1024 + program.size * typical_item);
  append_header(out, program);
  append_items(out, program);
  AppendRelations relations(out);
  std::visit(relations, program.relations);
  relations.end();
  out += '}';
  return out;
}

}  // namespace percepts

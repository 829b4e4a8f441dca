#include <array>
#include <string>
#include <vector>

#include "check.hpp"
#include "percepts/program.hpp"
#include "percepts/values.hpp"

using percepts::Program;
using percepts::Style;

namespace {

constexpr std::array styles{Style::paper, Style::json, Style::compact};

/// A program as depth() makes it: columns of numbers, not of values.
Program cells() {
  Program program;
  program.modality = "depth";
  program.granularity = "patch";
  program.grid = percepts::Grid{2, 2};
  program.note = "a <b>";
  program.size = 4;
  program.p = percepts::column::Ordinal{};
  program.c = percepts::column::Integers{2, {0, 0, 500, 0, 0, 500, 500, 500}};
  program.r = percepts::column::Reals{2, {0.25F, 0.5F, 0, 1e-5F, 1, 1, 0.1F, 0.2F}};
  program.relations = percepts::CellRelations{{"in_front_of"}, {{2, 1}, {4, 3}}};
  return program;
}

const std::string json =
    R"({"modality":"depth","granularity":"patch","grid":{"rows":2,"cols":2},"note":"a \u003Cb>","items":[)"
    "\n"
    R"({"p":1,"c":[0,0],"r":[0.25,0.5]},)"
    "\n"
    R"({"p":2,"c":[500,0],"r":[0,1.0e-05]},)"
    "\n"
    R"({"p":3,"c":[0,500],"r":[1,1]},)"
    "\n"
    R"({"p":4,"c":[500,500],"r":[0.1,0.2]}],"relations":[)"
    "\n"
    R"(["p=2","in_front_of","p=1"],)"
    "\n"
    R"(["p=4","in_front_of","p=3"]]})";

const std::string compact =
    "<perceptionprogram>\n"
    "compact depth patch 2x2\n"
    "note \"a \\u003Cb>\"\n"
    "items: p=1..4 x=0,500 r\n"
    "y=0\n"
    ".25,.5\n"
    "0,1.0e-05\n"
    "y=500\n"
    "1,1\n"
    ".1,.2\n"
    "> in_front_of: 2>1 4>3\n"
    "</perceptionprogram>";

void test_texts() {
  check::text(to_json(cells()), json);
  check::text(to_text(cells(), Style::json), "<perceptionprogram>\n" + json + "\n</perceptionprogram>");
  check::text(to_text(cells(), Style::compact), compact);
  check::text(to_text(cells(), Style::paper), to_text(cells()));
}

void test_round_trip() {
  for (const Style style : styles) {
    const std::string text = to_text(cells(), style);
    check::text(to_text(percepts::parse(text), style), text);
    check::text(to_text(percepts::parse(text)), to_text(cells()));
    check::that(percepts::find_programs("so " + text + ", and\n" + text).size() == 2);
  }
  check::that(percepts::parse(to_json(cells())) == cells());
}

void test_names() {
  check::that(percepts::text_style("paper") == Style::paper);
  check::that(percepts::text_style("json") == Style::json);
  check::that(percepts::text_style("compact") == Style::compact);
  check::refused([] { percepts::text_style("xml"); },
                 "style must be 'paper', 'json' or 'compact', got 'xml'");
}

/// Every truncation and every changed byte is a program or a ParseError; the sanitizers watch.
void test_damage() {
  const auto survives = [](const std::string& text) {
    try {
      const Program program = percepts::parse(text);
      for (const Style style : styles) {
        check::text(to_text(percepts::parse(to_text(program, style))), to_text(program));
      }
    } catch (const percepts::ParseError&) {
    }
    static_cast<void>(percepts::find_programs(text));
  };
  for (const std::string& text : {to_text(cells(), Style::json), json, compact}) {
    for (std::size_t size = 0; size < text.size(); ++size) survives(text.substr(0, size));
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char byte : {'\0', '\n', '"', '\\', '[', ']', ':', '-', ' ', '9', ',', '}', '{', '=', '.',
                              '~', 'p', '\xFF', '\xE2'}) {
        std::string damaged = text;
        damaged[at] = byte;
        survives(damaged);
      }
    }
  }
}

percepts::Value single(percepts::Scalar scalar) { return {.is_list = false, .scalars = {std::move(scalar)}}; }

/// What a program with this p and a relation from this end prints.
std::string relation_line(percepts::Scalar p, percepts::Scalar end) {
  Program program;
  program.modality = program.granularity = "patch";
  program.size = 1;
  program.p = percepts::column::Values{{single(std::move(p))}};
  program.relations = std::vector<percepts::NamedRelation>{{std::move(end), "near", percepts::text("z")}};
  resolve_relations(program);
  const std::string text = to_text(program);
  return text.substr(text.find("- [") + 2, text.find(", \"near\"") - text.find("- [") - 2);
}

void test_ends_of_relations() {
  check::text(relation_line(percepts::integer(1), percepts::text("1")), "[p=1");
  check::text(relation_line(percepts::text("1"), percepts::integer(1)), "[\"p=1\"");
  check::text(relation_line(percepts::text("A"), percepts::text("1.0e+05")), "[p=1.0e+05");
  check::text(relation_line(percepts::text("A"), percepts::text("1e5")), "[\"p=1e5\"");
  check::text(relation_line(percepts::text("A"), percepts::text("1.0e+999")), "[\"p=1.0e+999\"");
}

void test_one_id_as_number_and_text() {
  Program program;
  program.modality = program.granularity = "patch";
  program.size = 2;
  program.p = percepts::column::Values{{single(percepts::integer(1)), single(percepts::text("1"))}};
  check::refused([&] { percepts::check(program); },
                 "p must be unique within a program, got \"1\" more than once");
}

/// Callers from C++ may pass any bytes as a label.
void test_invalid_utf8() {
  Program program = cells();
  program.b = percepts::column::Values{{single(percepts::text("\xFFz")), {}, {}, {}}};
  for (const Style style : styles) {
    check::that(to_text(program, style).find("\"\xEF\xBF\xBDz\"") != std::string::npos);
  }
}

}  // namespace

int main() {
  test_texts();
  test_round_trip();
  test_names();
  test_damage();
  test_ends_of_relations();
  test_one_id_as_number_and_text();
  test_invalid_utf8();
}

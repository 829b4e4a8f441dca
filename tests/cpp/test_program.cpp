#include "check.hpp"
#include "percepts/program.hpp"
#include "percepts/values.hpp"

using percepts::Program;
using percepts::Value;

namespace {

/// A program of one item with this label.
Program labelled(std::string label) {
  Program program;
  program.modality = "heat";
  program.granularity = "patch";
  program.size = 1;
  program.p = percepts::column::Ordinal{};
  program.b =
      percepts::column::Values{{Value{.is_list = false, .scalars = {percepts::text(std::move(label))}}}};
  return program;
}

void check_label(std::string label, std::string_view printed) {
  check::text(to_text(labelled(std::move(label))),
              "<perceptionprogram>\n"
              "modality: \"heat\"\n"
              "granularity: patch\n"
              "items:\n"
              "  - p: 1\n"
              "    b: " +
                  std::string(printed) + "\n</perceptionprogram>");
}

void test_quoting() {
  check_label("no", "\"no\"");
  check_label("a\"b\\c\n<", R"("a\"b\\c\n\u003C")");
  check_label(std::string("\0\x1b\x7f", 3), R"("\u0000\u001B\u007F")");
  check_label("\xE2\x80\xAE\xE6\xB7\xB1", "\"\\u202E\xE6\xB7\xB1\"");
}

/// Wherever in a text something is escaped, the rest stands for itself.
void test_quoting_at_every_place() {
  for (std::size_t before = 0; before < 80; ++before) {
    for (std::size_t after : {0, 1, 31, 32, 33}) {
      const std::string head(before, '~');
      const std::string tail(after, ' ');
      check_label(head + '<' + tail, '"' + head + "\\u003C" + tail + '"');
      check_label(head + '"' + tail, '"' + head + "\\\"" + tail + '"');
      check_label(head + '\x1f' + tail, '"' + head + "\\u001F" + tail + '"');
      check_label(head + '\x7f' + tail, '"' + head + "\\u007F" + tail + '"');
      check_label(head + "\xC3\xA9" + tail, '"' + head + "\xC3\xA9" + tail + '"');
    }
  }
}

/// Callers from C++ may pass any bytes: what is not UTF-8 becomes U+FFFD, and nothing is read beyond the end.
void test_invalid_utf8() {
  check_label("\xFFz", "\"\xEF\xBF\xBDz\"");
  check_label("\xE6\xB7", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
  check_label("\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
  check_label("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

void test_numbers() {
  check::text(percepts::real(1e-5, "c").text, "1.0e-05");
  check::text(percepts::real(-0.0, "c").text, "0");
  check::text(percepts::real(123456.7, "c").text, "123457");
  check::that(percepts::printed_reading(0.123456F, percepts::NumberFormat::general4) == 0.1235);
  check::refused([] { percepts::real(0.0 / 0.0, "c"); }, "c must be finite, got nan");
}

void test_equality_and_ids() {
  check::that(labelled("a") == labelled("a"));
  check::that(!(labelled("a") == labelled("b")));
  Program program = labelled("a");
  program.size = 2;
  const Value one{.is_list = false, .scalars = {percepts::integer(1)}};
  program.p = percepts::column::Values{{one, one}};
  program.b = percepts::column::Absent{};
  check::refused([&] { percepts::check(program); }, "got 1 more than once");
}

/// Columns that are shorter than the program are refused before anything reads beyond them.
void test_columns_are_whole() {
  namespace column = percepts::column;
  Program program = labelled("a");
  program.size = 2;
  check::refused([&] { percepts::check(program); }, "column b must have a value for each item, got 1 for 2");
  program.b = column::Absent{};
  const std::vector<std::pair<percepts::Column, std::string_view>> bad{
      {column::Integers{.width = 2, .values = {1, 2, 3}},
       "column c must have a value for each item, got 1 for 2"},
      {column::Integers{.width = 0, .values = {}}, "got 0 for 2"},
      {column::Reals{.width = 2, .values = {0.5F}}, "got 0 for 2"},
      {column::Words{.words = {"left"}, .index = {0}}, "got 1 for 2"},
      {column::Words{.words = {"left"}, .index = {0, 1}}, "column c must have only indices of its words"},
      {column::Values{{Value{}, Value{}}}, "values of at least one scalar"},
  };
  for (const auto& [values, problem] : bad) {
    program.c = values;
    check::refused([&] { percepts::check(program); }, problem);
  }
  program.c = column::Integers{.width = 2, .values = {1, 2, 3, 4}};
  percepts::check(program);
  program.grid = percepts::Grid{0, 2};
  check::refused([&] { percepts::check(program); }, "grid must be at least 1x1 (rows x columns), got 0x2");
}

void test_relations_of_cells_are_between_items() {
  Program program = labelled("a");
  program.size = 2;
  program.b = percepts::column::Absent{};
  using Pairs = std::vector<percepts::CellRelation>;
  const std::vector<std::pair<Pairs, std::string_view>> bad{
      {{{1, 2, 1}}, "relations must have only indices of their 1 predicates, got 1"},
      {{{1, 2, 0}, {1, 3, 0}}, "relations must be between two of the 2 items, got 1 and 3"},
      {{{0, 1, 0}}, "relations must be between two of the 2 items, got 0 and 1"},
      {{{-1, 1, 0}}, "relations must be between two of the 2 items, got -1 and 1"},
  };
  for (const auto& [pairs, problem] : bad) {
    program.relations = percepts::CellRelations{.predicates = {"adjacent_to"}, .pairs = pairs};
    check::refused([&] { percepts::check(program); }, problem);
  }
  program.relations = percepts::CellRelations{.predicates = {"adjacent_to"}, .pairs = {{1, 2}, {2, 1}}};
  percepts::check(program);
  program.relations = percepts::CellRelations{};
  percepts::check(program);
}

/// A number is printed as it is: what else is in its text would be a part of the program's.
void test_numbers_are_numbers() {
  using percepts::Scalar;
  for (const char* text : {"abc\nrelations: []", "", "1 ", "-", "1.", ".5", "1e5", "01", "-0", "nan", "inf",
                           "1.0e+999", "0x1", "1\n"}) {
    const Scalar scalar{.kind = Scalar::Kind::number, .text = text};
    Program program = labelled("a");
    for (const bool is_list : {false, true}) {
      program.r = percepts::column::Values{{Value{.is_list = is_list, .scalars = {scalar}}}};
      check::refused([&] { percepts::check(program); }, "column r must have numbers as they are printed");
    }
    program.r = percepts::column::Absent{};
    program.relations = std::vector<percepts::NamedRelation>{{percepts::integer(1), "of", scalar}};
    check::refused([&] { percepts::check(program); }, "relations must have numbers as they are printed");
  }
  for (const char* text : {"0", "-12", "0.5", "1.0e-05", "-1.5e+300"}) {
    Program program = labelled("a");
    const Scalar scalar{.kind = Scalar::Kind::number, .text = text};
    program.r = percepts::column::Values{{Value{.is_list = false, .scalars = {scalar}}}};
    percepts::check(program);
    check::that(percepts::parse(to_text(program)) == program);
  }
}

void test_whole_numbers() {
  for (const char* digits : {"abc", "", "-", "+1", "1.5", " 1", "1\n", "01", "-0", "-01"}) {
    check::refused([&] { percepts::integer(digits); }, "a whole number must be digits");
  }
  check::refused([] { percepts::integer(std::string(5000, '9')); }, "at most 4300 characters, got 5000");
  check::text(percepts::integer(std::string(4300, '9')).text, std::string(4300, '9'));
  check::text(percepts::integer("-12").text, "-12");
  check::text(percepts::integer("0").text, "0");
  check::text(percepts::integer(std::int64_t{-1} << 63).text, "-9223372036854775808");
}

}  // namespace

int main() {
  test_quoting();
  test_quoting_at_every_place();
  test_invalid_utf8();
  test_numbers();
  test_equality_and_ids();
  test_columns_are_whole();
  test_relations_of_cells_are_between_items();
  test_numbers_are_numbers();
  test_whole_numbers();
}

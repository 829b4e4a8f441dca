#include <limits>
#include <vector>

#include "check.hpp"
#include "percepts/program.hpp"

using percepts::CellRelation;
using percepts::CellRelations;
using percepts::Program;

namespace {

/// Numbered cells with centres that take from one to eleven characters.
Program cells(std::size_t size) {
  constexpr std::int32_t coordinates[]{0,   9,    10,   99, 100,
                                       999, 1000, 1001, -7, std::numeric_limits<std::int32_t>::min()};
  Program program;
  program.modality = "depth";
  program.granularity = "patch";
  program.size = size;
  program.p = percepts::column::Ordinal{};
  percepts::column::Integers centers{.width = 2, .values = {}};
  for (std::size_t k = 0; k < 2 * size; ++k) centers.values.push_back(coordinates[(k * k + k / 3) % 10]);
  program.c = std::move(centers);
  return program;
}

Program with_ranges(std::size_t size) {
  constexpr float readings[]{0, 0.25F, 1, 1e-5F, 0.12345F, -3.5F, 123.25F, 1e-30F, 12345, 3e38F, -1e-38F};
  Program program = cells(size);
  percepts::column::Reals column{.width = 2, .values = {}};
  for (std::size_t k = 0; k < 2 * size; ++k) column.values.push_back(readings[(k * k + k / 5) % 11]);
  for (std::size_t index = 3; index < size; index += 7) {
    column.values[2 * index] = std::numeric_limits<float>::quiet_NaN();
  }
  program.r = std::move(column);
  return program;
}

Program with_words(std::size_t size, std::vector<std::string_view> words) {
  Program program = cells(size);
  percepts::column::Words column{.words = std::move(words), .index = {}};
  for (std::size_t index = 0; index < size; ++index) {
    column.index.push_back(static_cast<std::uint8_t>(index % column.words.size()));
  }
  program.r = std::move(column);
  return program;
}

CellRelations relations(std::size_t size, std::string_view predicate) {
  CellRelations all{.predicates = {predicate}, .pairs = {}};
  for (std::int32_t a = 1; a < static_cast<std::int32_t>(size); ++a) all.pairs.push_back({a, a + 1});
  return all;
}

/// What parse() returns holds each value by itself, so that its text is made the general way.
void check_same_as_general(const Program& program) {
  const std::string text = to_text(program);
  check::text(text, to_text(percepts::parse(text)));
}

void test_an_item_of_each_kind() {
  Program program = with_ranges(1);
  program.relations = CellRelations{.predicates = {"in_front_of"}, .pairs = {{1, 1000}, {-4, 20000}}};
  check::text(to_text(program),
              "<perceptionprogram>\nmodality: depth\ngranularity: patch\nitems:\n"
              "  - p: 1\n    c: [0, 9]\n    r: [0, 0.25]\n"
              "relations:\n  - [p=1, in_front_of, p=1000]\n  - [p=-4, in_front_of, p=20000]\n"
              "</perceptionprogram>");
  check::text(to_text(with_words(2, {"left", "unknown"})),
              "<perceptionprogram>\nmodality: depth\ngranularity: patch\nitems:\n"
              "  - p: 1\n    c: [0, 9]\n    r: left\n"
              "  - p: 2\n    c: [100, 0]\n    r: unknown\n"
              "</perceptionprogram>");
}

/// Sizes around those at which a block of text is full.
void test_equals_the_general_way() {
  for (std::size_t size = 0; size < 300; ++size) {
    for (Program program : {with_ranges(size), with_words(size, {"left", "right", "unknown"})}) {
      check_same_as_general(program);
      program.note = "a note";
      program.relations = relations(size, "in_front_of");
      check_same_as_general(program);
    }
  }
  Program large = with_ranges(20000);
  large.relations = relations(20000, "about the same as");
  check_same_as_general(large);
}

/// Words and predicates have no upper bound.
void test_long_words() {
  const std::string word(5000, 'w');
  const std::string predicate(33, 'v');
  Program program = with_words(1, {word});
  program.relations = CellRelations{.predicates = {predicate}, .pairs = {{1, 2}}};
  check::text(to_text(program),
              "<perceptionprogram>\nmodality: depth\ngranularity: patch\nitems:\n"
              "  - p: 1\n    c: [0, 9]\n    r: " +
                  word + "\nrelations:\n  - [p=1, " + predicate + ", p=2]\n</perceptionprogram>");
}

/// Columns of other shapes and further fields are not for the short way.
void test_other_columns() {
  Program program = with_ranges(1);
  program.c = percepts::column::Integers{.width = 4, .values = {1, 2, 3, 4}};
  program.r = percepts::column::Reals{.width = 1, .values = {0.5F}};
  program.b = percepts::column::Words{.words = {"unknown"}, .index = {0}};
  check::text(to_text(program),
              "<perceptionprogram>\nmodality: depth\ngranularity: patch\nitems:\n"
              "  - p: 1\n    c: [1, 2, 3, 4]\n    r: 0.5\n    b: unknown\n</perceptionprogram>");
}

std::string printed(float reading, percepts::NumberFormat format) {
  Program program = cells(1);
  program.r = percepts::column::Reals{.width = 1, .values = {reading}, .format = format};
  const std::string text = to_text(program);
  check_same_as_general(program);
  const std::size_t at = text.find("r: ") + 3;
  return text.substr(at, text.find('\n', at) - at);
}

void test_formats_of_single_readings() {
  using percepts::NumberFormat;
  check::text(printed(1, NumberFormat::general4), "1");
  check::text(printed(0.5F, NumberFormat::fixed4), "0.5000");
  check::text(printed(0.8312345F, NumberFormat::fixed6), "0.831234");
  check::text(printed(-1e-9F, NumberFormat::fixed6), "0.000000");
  check::text(printed(-0.25F, NumberFormat::fixed4), "-0.2500");
  check::text(printed(-3e38F, NumberFormat::fixed4), "-299999994978268137438937907786522099712.0000");
  check::text(printed(std::numeric_limits<float>::quiet_NaN(), NumberFormat::fixed6), "unknown");
}

void test_several_predicates() {
  Program program = with_ranges(1);
  program.relations =
      CellRelations{.predicates = {"is darker than", "about the same as"}, .pairs = {{1, 2, 1}, {2, 1, 0}}};
  check_same_as_general(program);
  const std::string text = to_text(program);
  check::that(text.find("[p=1, about the same as, p=2]\n  - [p=2, is darker than, p=1]") !=
              std::string::npos);
}

}  // namespace

int main() {
  test_formats_of_single_readings();
  test_several_predicates();
  test_an_item_of_each_kind();
  test_equals_the_general_way();
  test_long_words();
  test_other_columns();
}

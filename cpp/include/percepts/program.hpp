#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "percepts/grid.hpp"

namespace percepts {

/// One printed value: a number as its digits, or a text (UTF-8, not yet quoted or escaped).
struct Scalar {
  enum class Kind : std::uint8_t { number, text };

  Kind kind = Kind::text;
  std::string text;
};

/// The value of one field of an item: one scalar, or a flat list of them.
struct Value {
  bool is_list = false;
  std::vector<Scalar> scalars;
};

/// What a reading without a valid pixel is called.
inline constexpr std::string_view unknown = "unknown";

/// How reals are printed, as C's printf does it.
enum class NumberFormat : std::uint8_t {
  general4,  ///< `%.4g`
  fixed4,    ///< `%.4f`
  fixed6,    ///< `%.6f`
};

/// A field of the items, for all items at once, in the form that its maker already had. Text is made from it
/// only when it is asked for.
namespace column {

/// No item has the field.
struct Absent {};

/// 1, 2, 3, …
struct Ordinal {};

/// `width` whole numbers an item, printed as a list.
struct Integers {
  std::size_t width = 2;
  std::vector<std::int32_t> values;
};

/// `width` reals an item, printed as a list; one alone is printed bare. NaN in the first of them means
/// unknown.
struct Reals {
  std::size_t width = 2;
  std::vector<float> values;
  NumberFormat format = NumberFormat::general4;
};

/// One of a few fixed words an item.
struct Words {
  std::vector<std::string_view> words;  ///< with static storage
  std::vector<std::uint8_t> index;      ///< into `words`
};

/// One of several names an item, printed as text.
struct Labels {
  std::vector<std::string> names;
  std::vector<std::int32_t> index;  ///< into `names`
};

/// Anything: programs made by hand or parsed. An item without the field has no value.
struct Values {
  std::vector<std::optional<Value>> values;
};

}  // namespace column

/// A field of the items, in one of these forms.
using Column = std::variant<column::Absent, column::Ordinal, column::Integers, column::Reals, column::Words,
                            column::Labels, column::Values>;

/// A relation between two numbered cells.
struct CellRelation {
  std::int32_t a = 0;
  std::int32_t b = 0;
  std::uint8_t predicate = 0;  ///< index of the predicate
};

/// All relations of a program of cells: a few fixed predicates.
struct CellRelations {
  std::vector<std::string_view> predicates;  ///< with static storage
  std::vector<CellRelation> pairs;
};

/// A relation of a program that was made by hand or parsed.
struct NamedRelation {
  Scalar a;
  std::string predicate;
  Scalar b;
};

/// All relations of a program, in one of these forms.
using Relations = std::variant<CellRelations, std::vector<NamedRelation>>;

/// Sizes of up to three dimensions.
struct Shape {
  std::array<std::int64_t, 3> sizes{};
  std::size_t rank = 0;

  Shape(std::initializer_list<std::int64_t> dimensions);
};

/// Numbers in full precision that a program was made from, row-major; NaN where nothing was valid.
struct NamedArray {
  std::string name;
  Shape shape;
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>, std::vector<std::int64_t>>
      values;
};

/// When a cell of a depth program is in_front_of its neighbour.
struct InFrontRule {
  double tau = 0;
  bool nearer_is_larger = true;
  std::optional<std::int64_t> most;  ///< relations kept
};

/// What it takes, besides the arrays, to make the program of a coarser grid out of one of depth or flow.
struct CellOrigin {
  Extent extent;  ///< of the map
  std::optional<InFrontRule> in_front;
};

/// A perception program: what the text says, before it is text. One that is made by hand goes through check()
/// (values.hpp) before its text is made.
struct Program {
  std::string modality;             ///< what was read, such as "depth"
  std::string granularity;          ///< what an item stands for, such as "patch"
  std::optional<Grid> grid;         ///< where the items are cells
  std::optional<std::string> note;  ///< what p, c, r and b mean here

  std::size_t size = 0;  ///< number of items
  Column p;              ///< ids
  Column i;              ///< the images that the items belong to
  Column c;              ///< where: canonical coordinates in 0..1000, or names
  Column r;              ///< readings
  Column b;              ///< labels
  Relations relations;

  std::vector<NamedArray> arrays;
  std::optional<CellOrigin> origin;  ///< of programs that were made from a map
};

/// The array of this name. Throws InvalidArgument when the program has none of this name and type.
template <class T>
const std::vector<T>& array_of(const Program& program, std::string_view name);

/// The program's text in the style `paper`: an opening tag, a YAML body, a closing tag; no line feed at the
/// end. Numbers do not depend on the locale; strings that are not words of ours are quoted and escaped, so
/// that no label can end the block, add a key or become another type.
std::string to_text(const Program& program);

/// How a program is written between its tags.
enum class Style : std::uint8_t {
  paper,    ///< as the research release of the method prints it, in YAML
  json,     ///< one JSON object, which is YAML, too
  compact,  ///< with the fewest tokens that lose nothing (docs/compact.md)
};

/// The style of this name. Throws InvalidArgument when there is none.
Style text_style(std::string_view name);

/// The program's text in any style. parse() reads an equal program from each.
std::string to_text(const Program& program, Style style);

/// The JSON object of the style `json`, without tags.
std::string to_json(const Program& program);

/// Whether two programs print the same text.
bool operator==(const Program& left, const Program& right);

/// The program in a text that is one block with nothing but white space around it, as to_text() prints it in
/// any style or as the research release of the method does, or a bare JSON object. Throws ParseError, with
/// the line, for anything else.
Program parse(std::string_view text);

/// The programs in prose, such as a model's answer or a whole prompt. What only looks like a block is passed
/// over.
std::vector<Program> find_programs(std::string_view text);

}  // namespace percepts

#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace percepts::parsing {

inline constexpr std::string_view opening_tag = "<perceptionprogram>";
inline constexpr std::string_view closing_tag = "</perceptionprogram>";

/// A line without its line end.
struct Line {
  std::size_t number = 0;  ///< counted from 1
  std::string_view raw;

  /// The line without white space at its end.
  std::string_view text() const;

  /// Number of spaces at the start.
  std::size_t indentation() const;

  /// Throws ParseError: what is required of this line, and the line.
  [[noreturn]] void refuse(std::string_view requirement) const;
};

/// The lines that hold one program, without its tags.
struct Block {
  std::vector<Line> lines;
  Line end;  ///< what follows them: the closing tag, or nothing after a bare object

  /// The text of the first line that is not blank.
  std::string_view start() const;
};

/// Finds the one block, or the bare JSON object, that the text must be. Throws ParseError when it is anything
/// else.
Block block_of(std::string_view text);

/// The lines of a block whose indentation counts, read one after another; blank ones are skipped.
class Body {
 public:
  explicit Body(Block block);

  /// The line of the closing tag.
  const Line& end() const { return end_; }

  /// Next line that is not blank; null where there is none.
  const Line* peek();

  /// Goes past the line that peek() showed.
  void advance() { ++next_; }

  /// Line that was read last.
  const Line& latest() const { return lines_[next_ - 1]; }

  /// Reads all lines, blank ones too, up to one of `endings`; nothing where there is no such line.
  std::optional<std::span<const Line>> take_before(std::initializer_list<std::string_view> endings);

 private:
  std::vector<Line> lines_;
  Line end_;
  std::size_t next_ = 0;
};

}  // namespace percepts::parsing

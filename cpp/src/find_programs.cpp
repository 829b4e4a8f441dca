#include "parse_lines.hpp"
#include "percepts/error.hpp"
#include "percepts/program.hpp"

namespace percepts {

std::vector<Program> find_programs(std::string_view text) {
  using parsing::closing_tag;
  using parsing::opening_tag;
  std::vector<Program> programs;
  while (true) {
    const std::size_t closing = text.find(closing_tag);
    if (closing == std::string_view::npos) return programs;
    const std::string_view piece = text.substr(0, closing + closing_tag.size());
    text.remove_prefix(piece.size());
    const std::size_t opening = piece.rfind(opening_tag);
    if (opening == std::string_view::npos) continue;
    try {
      programs.push_back(parse(piece.substr(opening)));
    } catch (const ParseError&) {
      // Prose may hold what only looks like a block.
    }
  }
}

}  // namespace percepts

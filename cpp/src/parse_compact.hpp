#pragma once

#include <string_view>

#include "parse_items.hpp"
#include "parse_lines.hpp"

namespace percepts::parsing {

/// How the first line of a program in the style `compact` starts.
inline constexpr std::string_view compact = "compact ";

/// Reads the lines of a program in the style `compact` (docs/compact.md). Throws ParseError when they are
/// anything else.
Parsed program_of_compact(Body body);

}  // namespace percepts::parsing

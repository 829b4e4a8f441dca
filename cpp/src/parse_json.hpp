#pragma once

#include "parse_items.hpp"
#include "parse_lines.hpp"

namespace percepts::parsing {

/// Reads the one strict JSON object that a block, or a whole text, is. Throws ParseError when it is anything
/// else.
Parsed program_of_json(const Block& block);

}  // namespace percepts::parsing

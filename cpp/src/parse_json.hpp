#pragma once

#include "parse_lines.hpp"
#include "percepts/program.hpp"

namespace percepts::parsing {

/// Reads the one strict JSON object that a block, or a whole text, is. Throws ParseError when it is anything
/// else.
Program program_of_json(const Block& block);

}  // namespace percepts::parsing

#pragma once

#include <string>

#include "percepts/program.hpp"

namespace percepts {

/// Appends the lines of the style `compact` between the tags, without a line feed at the end.
void append_compact(std::string& out, const Program& program);

}  // namespace percepts

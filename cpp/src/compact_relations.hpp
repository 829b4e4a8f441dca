#pragma once

#include <string>

#include "percepts/program.hpp"

namespace percepts {

/// Appends the lines of the relations in their order, each with a line feed before it.
void append_compact_relations(std::string& out, const Relations& relations);

}  // namespace percepts

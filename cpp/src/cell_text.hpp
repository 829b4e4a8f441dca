#pragma once

#include <string>

#include "percepts/program.hpp"

namespace percepts {

// What most programs are made of, numbered cells with a centre and a reading each and relations between them,
// takes a short way into the text: what the items consist of is asked once, not for every item.

/// Appends the items, or returns false when they are anything else.
bool append_cells(std::string& out, const Program& program);

/// Appends relations between cells, or returns false when a predicate is too long for this way.
bool append_cell_relations(std::string& out, const CellRelations& relations);

}  // namespace percepts

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "percepts/program.hpp"

namespace percepts {

// Programs that say less.

/// The program of the coarser grid whose cells are `factor` by `factor` cells of this one: what the map
/// itself gives for that grid, means and decisions on them within the accuracy of the means. Nothing where
/// that cannot be known: for programs without `origin`, for labelled ones, and where `factor` does not divide
/// rows and columns.
std::optional<Program> merge_cells(const Program& program, std::int32_t factor);

/// The program without its relations, and without what the modality's own note says of them.
Program without_relations(Program program);

/// The program of some of the items, each with its rows of those arrays that have one an item. Items that are
/// numbered 1, 2, … are numbered anew, others keep their p. Throws InvalidArgument when an index is not below
/// the number of items, or a relation of cells is between others than the first so many.
Program pick_items(const Program& program, std::span<const std::size_t> indices);

}  // namespace percepts

#pragma once

#include "kernels/cell_means.hpp"
#include "kernels/oriented_field.hpp"

namespace percepts::kernels {

/// Calls `visit(index, rect)` for each cell of a turned field, in the order of memory: its row-major index in
/// the grid, and its pixels along the turned axes. For what does not depend on the order of a cell's pixels.
template <class Visitor>
void for_each_cell(const OrientedField& turned, Visitor visit) {
  for (std::size_t outer = 0; outer + 1 < turned.outer_edges.size(); ++outer) {
    for (std::size_t inner = 0; inner + 1 < turned.inner_edges.size(); ++inner) {
      visit(turned.cell(outer, inner), CellRect{turned.outer_edges[outer], turned.outer_edges[outer + 1],
                                                turned.inner_edges[inner], turned.inner_edges[inner + 1]});
    }
  }
}

}  // namespace percepts::kernels

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"

namespace percepts::kernels {

/// A field turned so that its inner axis goes through memory upwards in the smallest steps: a transposed map
/// is read by columns, a mirrored one from its other end. Cell edges are turned with it.
struct OrientedField {
  Field field;                            ///< extent and strides of the turned axes
  std::vector<std::int64_t> outer_edges;  ///< first row of each band of cells, and the end
  std::vector<std::int64_t> inner_edges;  ///< first element of each cell of a band, and the end
  bool swapped = false;                   ///< the outer axis is the grid's columns
  bool mirrored = false;                  ///< the last inner cell is the grid's first

  /// Row-major index in the grid of a cell by its place along the turned axes.
  std::size_t cell(std::size_t outer, std::size_t inner) const {
    const std::size_t inner_cells = inner_edges.size() - 1;
    const std::size_t along = mirrored ? inner_cells - 1 - inner : inner;
    return swapped ? along * (outer_edges.size() - 1) + outer : outer * inner_cells + along;
  }
};

OrientedField oriented(const Field& field, const Grid& grid);

/// Turns another field of the same extent and strides in the same way.
void turn(const Field& field, OrientedField& turned);

}  // namespace percepts::kernels

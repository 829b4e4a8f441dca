#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/columns/columns.hpp"
#include "percepts/field.hpp"
#include "percepts/grid.hpp"

namespace percepts::kernels {

/// Totals of each cell over its valid pixels, row-major. The grid fits the field.
std::vector<CellTotal> grid_totals(const Field& field, const Grid& grid);

/// The same, keeping its buffers for the next field that is laid out alike.
class GridScan {
 public:
  GridScan();
  ~GridScan();

  const std::vector<CellTotal>& run(const Field& field, const Grid& grid);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace percepts::kernels

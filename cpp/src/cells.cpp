#include "src/cells.hpp"

#include "kernels/cell_means.hpp"

namespace percepts {

Program program_of_cells(const char* modality, const Grid& grid, const Extent& extent) {
  Program program;
  program.modality = modality;
  program.granularity = "patch";
  program.grid = grid;
  program.size = static_cast<std::size_t>(grid.cells());
  program.p = column::Ordinal{};
  column::Integers centers{.width = 2, .values = {}};
  centers.values.reserve(2 * program.size);
  for (std::int64_t row = 0; row < grid.rows; ++row) {
    const auto y = static_cast<std::int32_t>(cell_center(row, extent.height, grid.rows));
    for (std::int64_t col = 0; col < grid.cols; ++col) {
      centers.values.push_back(static_cast<std::int32_t>(cell_center(col, extent.width, grid.cols)));
      centers.values.push_back(y);
    }
  }
  program.c = std::move(centers);
  return program;
}

std::vector<double> valid_share(const std::vector<std::int32_t>& count, const Grid& grid, const Extent& extent) {
  std::vector<double> share;
  share.reserve(count.size());
  for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
    const auto [y0, y1, x0, x1] = kernels::cell_rect(grid, extent, cell);
    const auto pixels = static_cast<double>((y1 - y0) * (x1 - x0));
    share.push_back(static_cast<double>(count[static_cast<std::size_t>(cell)]) / pixels);
  }
  return share;
}

}  // namespace percepts

#include "percepts/grid.hpp"

#include <cstdint>
#include <limits>

#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts {

void check_grid(const Grid& grid) {
  if (grid.rows < 1 || grid.cols < 1) {
    throw InvalidArgument(
        message("grid must be at least 1x1 (rows x columns), got ", grid.rows, "x", grid.cols));
  }
}

void check_grid(const Grid& grid, const Extent& extent) {
  const auto& [rows, cols] = grid;
  const auto& [height, width] = extent;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  check_grid(grid);
  if (rows > height || cols > width) {
    throw InvalidArgument(message("every cell must hold a pixel: grid ", rows, "x", cols,
                                  " (rows x columns) needs at least as many pixels, got a map of ", height,
                                  "x", width, " (height x width)"));
  }
  if (grid.cells() > most) {
    throw InvalidArgument(
        message("grid may have at most 2147483647 cells, got ", rows, "x", cols, " (rows x columns)"));
  }
  const std::int64_t cell_height = (height - 1) / rows + 1;
  const std::int64_t cell_width = (width - 1) / cols + 1;
  if (cell_height > most / cell_width) {
    throw InvalidArgument(message("a cell may hold at most 2147483647 pixels, got cells of ", cell_height,
                                  "x", cell_width, " (height x width)"));
  }
}

}  // namespace percepts

#include <utility>

#include "percepts/error.hpp"
#include "percepts/kernels.hpp"
#include "percepts/reading.hpp"
#include "src/message.hpp"

namespace percepts {

std::vector<std::int8_t> neighbor_relations(std::span<const double> mean, const Grid& grid, double tau) {
  check_tau(tau);
  check_grid(grid);
  if (std::cmp_not_equal(mean.size(), grid.cells())) {
    throw InvalidArgument(
        message("mean must have a value for each of the ", grid.cells(), " cells, got ", mean.size()));
  }
  const auto rows = static_cast<std::size_t>(grid.rows);
  const auto cols = static_cast<std::size_t>(grid.cols);
  std::vector<std::int8_t> relations(2 * rows * cols, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t col = 0; col < cols; ++col) {
      const std::size_t cell = row * cols + col;
      if (col + 1 < cols) {
        relations[2 * cell] = static_cast<std::int8_t>(in_front(mean[cell], mean[cell + 1], tau));
      }
      if (row + 1 < rows) {
        relations[2 * cell + 1] = static_cast<std::int8_t>(in_front(mean[cell], mean[cell + cols], tau));
      }
    }
  }
  return relations;
}

}  // namespace percepts

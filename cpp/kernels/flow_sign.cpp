#include <cmath>

#include "percepts/kernels.hpp"

namespace percepts {

std::vector<std::int8_t> flow_sign(const Field& component, const Grid& grid) {
  const GridStats stats = grid_stats(component, grid);
  std::vector<std::int8_t> signs;
  signs.reserve(stats.mean.size());
  for (const double mean : stats.mean) {
    signs.push_back(std::isnan(mean) ? std::int8_t{0} : mean < 0 ? std::int8_t{-1} : std::int8_t{1});
  }
  return signs;
}

}  // namespace percepts

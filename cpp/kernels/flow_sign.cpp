#include "kernels/mean_signs.hpp"

namespace percepts {

std::vector<std::int8_t> flow_sign(const Field& component, const Grid& grid) {
  return kernels::mean_signs(component, grid, grid_stats(component, grid)).sign;
}

}  // namespace percepts

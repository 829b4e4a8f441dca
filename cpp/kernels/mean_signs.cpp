#include "kernels/mean_signs.hpp"

#include "kernels/cell_means.hpp"
#include "kernels/sign_rule.hpp"

namespace percepts::kernels {
MeanSigns mean_signs(const Field& field, const Grid& grid, const GridStats& stats) {
  MeanSigns signs{.mean = stats.mean, .sign = {}};
  signs.sign.reserve(stats.mean.size());
  for (std::size_t cell = 0; cell < stats.mean.size(); ++cell) {
    double& mean = signs.mean[cell];
    if (sign_is_open(field.dtype, stats.min[cell], stats.max[cell], mean, stats.count[cell])) {
      mean = defined_mean(field, cell_rect(grid, field.extent, static_cast<std::int64_t>(cell)));
    }
    signs.sign.push_back(sign_of_mean(mean));
  }
  return signs;
}

}  // namespace percepts::kernels

#include "kernels/mean_signs.hpp"

#include <cmath>

#include "kernels/cell_means.hpp"
#include "kernels/mean_error.hpp"

namespace percepts::kernels {
namespace {

std::int8_t sign_of(double mean) {
  return std::isnan(mean) ? std::int8_t{0} : mean < 0 ? std::int8_t{-1} : std::int8_t{1};
}

}  // namespace

MeanSigns mean_signs(const Field& field, const Grid& grid, const GridStats& stats) {
  MeanSigns signs{.mean = stats.mean, .sign = {}};
  signs.sign.reserve(stats.mean.size());
  for (std::size_t cell = 0; cell < stats.mean.size(); ++cell) {
    double& mean = signs.mean[cell];
    const double error = mean_error(field.dtype, stats.min[cell], stats.max[cell], stats.count[cell]);
    // Not "<=": a bound that is not a number leaves the sign open.
    if (stats.count[cell] > 0 && error != 0 && !(std::abs(mean) > error)) {
      mean = defined_mean(field, cell_rect(grid, field.extent, static_cast<std::int64_t>(cell)));
    }
    signs.sign.push_back(sign_of(mean));
  }
  return signs;
}

}  // namespace percepts::kernels

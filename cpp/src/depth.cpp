#include "percepts/depth.hpp"

#include <utility>

#include "percepts/kernels.hpp"
#include "src/depth_program.hpp"
#include "src/reading_means.hpp"

namespace percepts {

Program depth(const Field& field, const DepthOptions& options) {
  check(options);
  return depth(field, options, grid_stats(field, options.grid));
}

Program depth(const Field& field, const DepthOptions& options, const GridStats& stats) {
  check(options);
  const ReadingMap map = checked_reading_map(field.dtype, options, stats);
  const kernels::DepthRule rule = depth_rule(field.dtype, options);
  ReadingMeans means(field, options.grid, map, stats);
  CellRelations relations = relations_of(options, [&](std::int32_t a, std::int32_t b) {
    return means.in_front(static_cast<std::size_t>(a), static_cast<std::size_t>(b), rule);
  });
  return depth_program(field.extent, options, map, stats, std::move(means).means(), std::move(relations));
}

}  // namespace percepts

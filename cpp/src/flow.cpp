#include "percepts/flow.hpp"

#include <utility>

#include "kernels/mean_signs.hpp"
#include "percepts/error.hpp"
#include "src/cells.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

/// The words for a mean below zero and for any other, then the one for no data.
std::vector<std::string_view> words_of(const FlowOptions& options) {
  const bool horizontal = options.axis == FlowAxis::horizontal;
  std::string_view negative = horizontal ? "left" : "up";
  std::string_view positive = horizontal ? "right" : "down";
  if (options.motion == FlowMotion::camera) std::swap(negative, positive);
  return {negative, positive, unknown};
}

std::uint8_t word_for(std::int8_t sign) {
  if (sign == 0) return 2;
  return sign < 0 ? 0 : 1;
}

}  // namespace

FlowAxis flow_axis(std::string_view name) {
  if (name == "horizontal") return FlowAxis::horizontal;
  if (name == "vertical") return FlowAxis::vertical;
  throw InvalidArgument(message("axis must be 'horizontal' or 'vertical', got '", name, "'"));
}

FlowMotion flow_motion(std::string_view name) {
  if (name == "scene") return FlowMotion::scene;
  if (name == "camera") return FlowMotion::camera;
  throw InvalidArgument(message("motion must be 'scene' or 'camera', got '", name, "'"));
}

Program flow(const Field& component, const FlowOptions& options) {
  return flow(component, options, grid_stats(component, options.grid));
}

Program flow(const Field& component, const FlowOptions& options, const GridStats& stats) {
  const Grid& grid = options.grid;
  kernels::MeanSigns signs = kernels::mean_signs(component, grid, stats);
  Program program = program_of_cells("flow", grid, component.extent);
  program.note = note_of(options);

  column::Words readings{.words = words_of(options), .index = {}};
  readings.index.reserve(program.size);
  for (const std::int8_t sign : signs.sign) readings.index.push_back(word_for(sign));
  program.r = std::move(readings);
  program.arrays.reserve(2);
  program.origin = CellOrigin{.extent = component.extent, .in_front = std::nullopt};
  add_array(program, "mean", std::move(signs.mean));
  add_array(program, "valid", valid_share(stats.count, grid, component.extent));
  return program;
}

}  // namespace percepts

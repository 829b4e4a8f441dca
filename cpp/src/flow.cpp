#include "percepts/flow.hpp"

#include <cmath>
#include <utility>

#include "percepts/error.hpp"
#include "percepts/kernels.hpp"
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

std::uint8_t word_for(double mean) {
  if (std::isnan(mean)) return 2;
  return mean < 0 ? 0 : 1;
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
  const Grid& grid = options.grid;
  GridStats stats = grid_stats(component, grid);
  Program program = program_of_cells("flow", grid, component.extent);
  program.note = note_of(options);

  column::Words readings{.words = words_of(options), .index = {}};
  readings.index.reserve(program.size);
  for (const double mean : stats.mean) readings.index.push_back(word_for(mean));
  program.r = std::move(readings);
  program.arrays.valid = valid_share(stats, grid, component.extent);
  program.arrays.mean = std::move(stats.mean);
  return program;
}

}  // namespace percepts

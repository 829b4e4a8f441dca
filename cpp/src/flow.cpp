#include "percepts/flow.hpp"

#include "kernels/mean_signs.hpp"
#include "percepts/error.hpp"
#include "src/flow_program.hpp"
#include "src/message.hpp"

namespace percepts {

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
  return flow_program(component.extent, options, kernels::mean_signs(component, options.grid, stats),
                      stats.count);
}

}  // namespace percepts

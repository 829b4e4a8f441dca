#pragma once

#include <cstdint>
#include <string_view>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/kernels.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// Which component of the flow is read.
enum class FlowAxis : std::uint8_t { horizontal, vertical };

/// Whose motion the word names: the scene's is the flow's own direction, the camera's the opposite one.
enum class FlowMotion : std::uint8_t { scene, camera };

/// "horizontal" or "vertical". Throws InvalidArgument for any other word.
FlowAxis flow_axis(std::string_view name);

/// "scene" or "camera". Throws InvalidArgument for any other word.
FlowMotion flow_motion(std::string_view name);

/// How a flow program is made.
struct FlowOptions {
  Grid grid;                             ///< no finer than the field
  FlowAxis axis = FlowAxis::horizontal;  ///< the component that the caller passes
  FlowMotion motion = FlowMotion::scene;
  bool labelled = false;  ///< attach_labels() is going to follow: the built-in note says what b is
  Note note;
};

/// The flow program of one field (paper, 3.2.2): per cell the direction of the mean motion. `component` is
/// the one that `options.axis` names: u (columns to the right) or v (rows downwards). Throws InvalidArgument
/// when the grid does not fit.
Program flow(const Field& component, const FlowOptions& options = {});

/// The same from statistics that grid_stats() or a StatsPlan has given of this component.
Program flow(const Field& component, const FlowOptions& options, const GridStats& stats);

}  // namespace percepts

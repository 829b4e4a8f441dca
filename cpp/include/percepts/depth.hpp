#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/kernels.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// What the numbers of a depth map are. Nothing is guessed.
enum class DepthKind : std::uint8_t {
  relative,   ///< in [0, 1], 1 nearest; unsigned integers are divided by their type's maximum
  disparity,  ///< larger is nearer, any scale
  metric,     ///< larger is farther, any unit
};

/// "relative", "disparity" or "metric". Throws InvalidArgument for any other word.
DepthKind depth_kind(std::string_view name);

/// The values, in scaled units, that read 1 and 0.
struct DepthRange {
  double near = 0;
  double far = 0;
};

/// How a depth program is made. The defaults fit a relative map and make the text of the paper.
struct DepthOptions {
  Grid grid;          ///< no finer than the map
  double tau = 0.15;  ///< least difference of two means, in units of the reading, for `in_front_of`
  DepthKind kind = DepthKind::relative;
  double scale = 1;                 ///< divides disparity and metric values first
  std::optional<DepthRange> range;  ///< instead of the map's own valid range
  bool normalize = true;            ///< false: metric readings stay in scaled units
  bool sentinels_named = false;     ///< the caller said which values are holes, possibly "none"
  bool labelled = false;            ///< attach_labels() is going to follow: the built-in note says what b is
  bool relations = true;            ///< false: no relations at all
  std::optional<std::int64_t> max_relations;  ///< keep the first so many
  Note note;
};

/// Throws InvalidArgument when the options contradict each other or are out of range, whatever the map.
void check(const DepthOptions& options);

/// The depth program of one map (paper, 3.2.1): per cell the range of the depth as reading, and which of two
/// neighbours is in front. Throws InvalidArgument when options or values do not meet their requirements.
Program depth(const Field& field, const DepthOptions& options = {});

/// The same from statistics that grid_stats() or a StatsPlan has given of this field.
Program depth(const Field& field, const DepthOptions& options, const GridStats& stats);

}  // namespace percepts

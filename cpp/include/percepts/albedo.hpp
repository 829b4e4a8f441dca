#pragma once

#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// How an albedo program is made.
struct AlbedoOptions {
  Grid grid;              ///< no finer than the map
  double tau = 0.08;      ///< least difference of two medians for `is darker than`
  bool labelled = false;  ///< attach_labels() is going to follow: the built-in note says what b is
  bool relations = true;  ///< false: no relations at all
  Note note;
};

/// Throws InvalidArgument when the options are out of range, whatever the map.
void check(const AlbedoOptions& options);

/// The albedo program of one map: per cell the median, limited to [0, 1], and which of two neighbours is
/// darker. Unsigned integers are divided by their type's maximum. Throws InvalidArgument when the options do
/// not meet their requirements or the grid does not fit.
Program albedo(const Field& field, const AlbedoOptions& options = {});

}  // namespace percepts

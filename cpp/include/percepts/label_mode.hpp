#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"

namespace percepts {

/// The label that most pixels of a cell have, and its share of them; row-major.
struct LabelModes {
  /// Labels of 64 unsigned bits are kept as the bits that they are.
  std::vector<std::int64_t> label;
  std::vector<double> share;  ///< NaN where every pixel is ignored; the label is then the ignored one
};

/// The dominant label of each cell: the one of most pixels, the lowest of several. Pixels of the label `ignored` count
/// neither for a label nor in the share. The field's mask and sentinels play no part. Throws InvalidArgument when the
/// labels are not integers (or boolean), or the grid does not fit.
LabelModes label_mode(const Field& labels, const Grid& grid, std::optional<std::int64_t> ignored = std::nullopt);

}  // namespace percepts

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// The label that most pixels of a cell have, and its share of them; row-major.
struct LabelModes {
  /// Labels of 64 unsigned bits are kept as the bits that they are.
  std::vector<std::int64_t> label;
  std::vector<double> share;  ///< NaN where no pixel counts; the label is then the ignored one, or 0
};

/// The dominant label of each cell: the one of most pixels, the lowest of several. Pixels of the label
/// `ignored`, and those that the mask leaves out, count neither for a label nor in the share. Sentinels play
/// no part. Throws InvalidArgument when the labels are not integers (or boolean), or the grid does not fit.
LabelModes label_mode(const Field& labels, const Grid& grid,
                      std::optional<std::int64_t> ignored = std::nullopt);

/// Gives each item of a program of cells its label: `names[index[item]]`. Throws InvalidArgument when there
/// are not as many indices as items, or one is out of range.
void attach_labels(Program& program, std::vector<std::string> names, std::vector<std::int32_t> index);

}  // namespace percepts

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// How a segmentation program is made.
struct SegmentationOptions {
  Grid grid;                            ///< no finer than the map
  std::optional<std::int64_t> ignored;  ///< the label whose pixels count neither for a label nor in its share
  bool relations = true;                ///< false: no relations at all
  Note note;
};

/// The segmentation program of one label map: per cell the label that most pixels have and its share of them,
/// and which neighbouring cells have different ones. Labels are called `class_7` until name_labels() gives
/// them names. Pixels that the mask leaves out do not count. Throws InvalidArgument when the labels are not
/// integers (or boolean), when the grid does not fit, or when the label of a cell does not fit an int64.
Program segmentation(const Field& labels, const SegmentationOptions& options = {});

/// The labels of a segmentation program's cells, each once, in rising order.
std::vector<std::int64_t> dominant_labels(const Program& segmentation);

/// Gives these labels names, in their order. Throws InvalidArgument for another number of names than of
/// labels.
void name_labels(Program& segmentation, std::vector<std::string> names);

}  // namespace percepts

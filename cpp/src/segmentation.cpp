#include "percepts/segmentation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "percepts/error.hpp"
#include "percepts/label_mode.hpp"
#include "src/cells.hpp"
#include "src/message.hpp"
#include "src/neighbors.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

void check_fits(const LabelModes& modes, DType dtype) {
  if (dtype != DType::uint64) return;
  for (std::size_t cell = 0; cell < modes.label.size(); ++cell) {
    if (modes.label[cell] < 0 && !std::isnan(modes.share[cell])) {
      throw InvalidArgument(
          message("labels must fit an int64, got ", static_cast<std::uint64_t>(modes.label[cell])));
    }
  }
}

CellRelations adjacent_cells(const LabelModes& modes, const Grid& grid) {
  CellRelations relations{.predicates = {"adjacent_to"}, .pairs = {}};
  for_each_neighbors(grid, [&](std::int32_t a, std::int32_t b) {
    const auto first = static_cast<std::size_t>(a), second = static_cast<std::size_t>(b);
    const bool known = !std::isnan(modes.share[first]) && !std::isnan(modes.share[second]);
    if (known && modes.label[first] != modes.label[second]) relations.pairs.push_back({a + 1, b + 1});
  });
  return relations;
}

column::Reals readings_of(const std::vector<double>& share) {
  column::Reals readings{.width = 1, .values = {}};
  std::transform(share.begin(), share.end(), std::back_inserter(readings.values),
                 [](double value) { return static_cast<float>(value); });
  return readings;
}

std::vector<std::string> default_names(const std::vector<std::int64_t>& labels) {
  std::vector<std::string> names;
  for (const std::int64_t label : labels) names.push_back("class_" + std::to_string(label));
  return names;
}

constexpr std::int32_t no_label = -1;

/// The names as a column, by their indices: a cell of which no pixel counts has none.
Column labels_column(std::vector<std::int32_t> indices, std::vector<std::string> names) {
  if (std::find(indices.begin(), indices.end(), no_label) == indices.end()) {
    return column::Labels{.names = std::move(names), .index = std::move(indices)};
  }
  column::Values column;
  for (const std::int32_t index : indices) {
    column.values.emplace_back();
    if (index == no_label) continue;
    const Scalar name{.kind = Scalar::Kind::text, .text = names[static_cast<std::size_t>(index)]};
    column.values.back() = Value{.is_list = false, .scalars = {name}};
  }
  return column;
}

}  // namespace

Program segmentation(const Field& labels, const SegmentationOptions& options) {
  LabelModes modes = label_mode(labels, options.grid, options.ignored);
  check_fits(modes, labels.dtype);
  Program program = program_of_cells("segmentation", options.grid, labels.extent);
  program.note = note_of(options);
  program.r = readings_of(modes.share);
  if (options.relations) program.relations = adjacent_cells(modes, options.grid);
  add_array(program, "label", std::move(modes.label));
  add_array(program, "share", std::move(modes.share));
  name_labels(program, default_names(dominant_labels(program)));
  return program;
}

std::vector<std::int64_t> dominant_labels(const Program& segmentation) {
  const auto& label = array_of<std::int64_t>(segmentation, "label");
  const auto& share = array_of<double>(segmentation, "share");
  std::vector<std::int64_t> distinct;
  for (std::size_t cell = 0; cell < label.size(); ++cell) {
    if (!std::isnan(share[cell])) distinct.push_back(label[cell]);
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

void name_labels(Program& segmentation, std::vector<std::string> names) {
  const std::vector<std::int64_t> distinct = dominant_labels(segmentation);
  if (names.size() != distinct.size()) {
    throw InvalidArgument(
        message("every label needs a name: ", distinct.size(), " labels, got ", names.size(), " names"));
  }
  const auto& label = array_of<std::int64_t>(segmentation, "label");
  const auto& share = array_of<double>(segmentation, "share");
  std::vector<std::int32_t> indices(label.size(), no_label);
  for (std::size_t cell = 0; cell < label.size(); ++cell) {
    if (std::isnan(share[cell])) continue;
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), label[cell]);
    indices[cell] = static_cast<std::int32_t>(found - distinct.begin());
  }
  segmentation.b = labels_column(std::move(indices), std::move(names));
}

}  // namespace percepts

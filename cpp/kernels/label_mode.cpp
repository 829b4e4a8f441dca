#include "percepts/label_mode.hpp"

#include <array>
#include <limits>
#include <type_traits>

#include "kernels/element.hpp"
#include "kernels/label_tally.hpp"
#include "kernels/oriented_cells.hpp"
#include "kernels/valid_pixels.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts {
namespace {

using namespace kernels;

/// As much of a row as is compared at once with the label before it.
template <class Element>
struct Block {
  using Label = typename Element::Value;
  static constexpr std::int64_t size = 16 / static_cast<std::int64_t>(Element::size);

  std::array<Label, size> labels;

  static Block load(const std::byte* address) {
    Block block;
    std::int64_t k = 0;
    for (Label& label : block.labels) label = Element::load(address + k++ * Element::size);
    return block;
  }

  bool is_all(Label label) const {
    bool same = true;
    for (const Label each : labels) same &= each == label;
    return same;
  }
};

/// Counts pixels that lie side by side in memory. Maps of labels consist of areas: mostly a block is all of
/// one label, that of the pixel before it.
template <class Element>
void add_dense(const std::byte* row, std::int64_t size, LabelTally<typename Element::Value>& tally) {
  auto label = Element::load(row);
  std::uint32_t length = 0;
  std::int64_t x = 0;
  for (; x + Block<Element>::size <= size; x += Block<Element>::size) {
    const auto block = Block<Element>::load(row + x * static_cast<std::int64_t>(Element::size));
    if (block.is_all(label)) {
      length += static_cast<std::uint32_t>(Block<Element>::size);
      continue;
    }
    if (length != 0) tally.add(label, length);
    for (std::size_t k = 0; k < block.labels.size(); ++k) tally.add(block.labels[k], 1, k);
    label = block.labels.back();
    length = 0;
  }
  if (length != 0) tally.add(label, length);
  for (; x < size; ++x) tally.add(Element::load(row + x * static_cast<std::int64_t>(Element::size)), 1);
}

template <class Element>
void add_cell(const Field& field, const CellRect& cell, LabelTally<typename Element::Value>& tally) {
  const bool dense =
      field.mask.data == nullptr && field.stride_x == static_cast<std::ptrdiff_t>(Element::size);
  for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
    const Run run = run_of(field, y, cell.x0, cell.x1);
    if (dense) {
      add_dense<Element>(run.data, run.size, tally);
    } else {
      for_each_valid<Element>(run, {}, [&](auto label) { tally.add(label, 1); });
    }
  }
}

template <class Element>
LabelModes modes_of(const Field& field, const Grid& grid, std::optional<std::int64_t> ignored) {
  using Label = typename Element::Value;
  const auto cells = static_cast<std::size_t>(grid.cells());
  LabelModes modes{std::vector<std::int64_t>(cells, ignored.value_or(0)),
                   std::vector<double>(cells, std::numeric_limits<double>::quiet_NaN())};
  // A label that the type cannot hold is the label of no pixel.
  std::optional<Label> left_out;
  if (ignored && static_cast<std::int64_t>(static_cast<Label>(*ignored)) == *ignored) {
    left_out = static_cast<Label>(*ignored);
  }
  LabelTally<Label> tally;
  const OrientedField turned = oriented(field, grid);
  for_each_cell(turned, [&](std::size_t index, const CellRect& cell) {
    add_cell<Element>(turned.field, cell, tally);
    const Winner<Label> winner = tally.take_winner(left_out);
    if (winner.counted == 0) return;
    modes.label[index] = static_cast<std::int64_t>(winner.label);
    modes.share[index] = static_cast<double>(winner.count) / static_cast<double>(winner.counted);
  });
  return modes;
}

}  // namespace

LabelModes label_mode(const Field& labels, const Grid& grid, std::optional<std::int64_t> ignored) {
  check_grid(grid, labels.extent);
  return visit_element(labels.dtype, [&]<class Element>(Element) -> LabelModes {
    if constexpr (std::is_floating_point_v<typename Element::Value>) {
      throw InvalidArgument(message("labels must be integers, got ", name_of(labels.dtype)));
    } else {
      return modes_of<Element>(labels, grid, ignored);
    }
  });
}

}  // namespace percepts

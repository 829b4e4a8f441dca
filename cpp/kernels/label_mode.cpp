#include "percepts/label_mode.hpp"

#include <array>
#include <cstring>
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
class Block {
 public:
  using Label = typename Element::Value;
  static constexpr std::int64_t size = 8;
  static constexpr std::int64_t bytes = size * static_cast<std::int64_t>(Element::size);

  explicit Block(const std::byte* address) { std::memcpy(words_.data(), address, sizeof words_); }

  static Block repeated(const std::byte* address) {
    Block block;
    auto* to = reinterpret_cast<std::byte*>(block.words_.data());
    for (std::int64_t k = 0; k < size; ++k) std::memcpy(to + k * element, address, element);
    return block;
  }

  const std::byte* last() const { return bytes_of() + (size - 1) * element; }

  std::array<Label, size> labels() const {
    std::array<Label, size> labels;
    for (std::size_t k = 0; k < size; ++k) labels[k] = Element::load(bytes_of() + k * element);
    return labels;
  }

  bool operator==(const Block& other) const {
    std::uint64_t different = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) different |= words_[k] ^ other.words_[k];
    return different == 0;
  }

 private:
  static constexpr std::size_t element = Element::size;

  Block() = default;

  const std::byte* bytes_of() const { return reinterpret_cast<const std::byte*>(words_.data()); }

  std::array<std::uint64_t, Element::size> words_;
};

/// Counts pixels that lie side by side in memory. Maps of labels consist of areas: mostly a block is all of
/// one label, that of the pixel before it.
template <class Element>
void add_dense(const std::byte* row, std::int64_t size, LabelTally<typename Element::Value>& tally) {
  auto label = Element::load(row);
  auto area = Block<Element>::repeated(row);
  std::uint32_t length = 0;
  const std::byte* const end = row + size * static_cast<std::int64_t>(Element::size);
  for (; end - row >= Block<Element>::bytes; row += Block<Element>::bytes) {
    const Block<Element> block(row);
    if (block == area) {
      length += static_cast<std::uint32_t>(Block<Element>::size);
      continue;
    }
    const auto labels = block.labels();
    tally.add(label, length);
    tally.add_each(labels);
    label = labels.back();
    area = Block<Element>::repeated(block.last());
    length = 0;
  }
  tally.add(label, length);
  for (; row != end; row += Element::size) tally.add(Element::load(row), 1);
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

#include "percepts/label_mode.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/cell_means.hpp"
#include "kernels/element.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts {
namespace {

using namespace kernels;

/// Labels of a map that span no more than this are counted in a table for each cell.
constexpr std::uint64_t largest_table = 4096;

/// Calls `visit(label, length)` for each run of equal labels within the rows of a cell.
template <class Element, class Visitor>
void for_each_run(const Field& field, const CellRect& cell, Visitor visit) {
  using Label = typename Element::Value;
  for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
    const std::byte* row = field.data + y * field.stride_y;
    std::int64_t x = cell.x0;
    while (x < cell.x1) {
      const Label label = Element::load(row + x * field.stride_x);
      const std::int64_t start = x;
      do ++x;
      while (x < cell.x1 && Element::load(row + x * field.stride_x) == label);
      visit(label, x - start);
    }
  }
}

template <class Label>
struct Winner {
  Label label{};
  std::int64_t count = 0;

  /// Labels come in rising order, so that of several the lowest stays.
  void offer(Label other, std::int64_t other_count) {
    if (other_count > count) *this = {other, other_count};
  }
};

template <class Label>
struct LabelRange {
  Label low = std::numeric_limits<Label>::max();
  Label high = std::numeric_limits<Label>::lowest();

  std::uint64_t span() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }
};

template <class Element>
LabelRange<typename Element::Value> range_of(const Field& field) {
  LabelRange<typename Element::Value> range;
  for_each_run<Element>(field, {0, field.extent.height, 0, field.extent.width},
                        [&](auto label, std::int64_t) {
                          range.low = std::min(range.low, label);
                          range.high = std::max(range.high, label);
                        });
  return range;
}

/// Counts the labels of a cell.
template <class Label>
class Tally {
 public:
  explicit Tally(const LabelRange<Label>& range) : low_(range.low) {
    if (range.span() < largest_table) table_.resize(range.span() + 1);
  }

  void add(Label label, std::int64_t length) {
    if (table_.empty()) {
      runs_.emplace_back(label, length);
    } else {
      table_[static_cast<std::uint64_t>(label) - static_cast<std::uint64_t>(low_)] += length;
    }
  }

  /// The label that most pixels have. The tally is empty then.
  Winner<Label> take_winner() {
    Winner<Label> winner;
    for (std::size_t k = 0; k < table_.size(); ++k) {
      winner.offer(static_cast<Label>(static_cast<std::uint64_t>(low_) + k), table_[k]);
      table_[k] = 0;
    }
    std::sort(runs_.begin(), runs_.end());
    for (std::size_t k = 0; k < runs_.size();) {
      const Label label = runs_[k].first;
      std::int64_t count = 0;
      for (; k < runs_.size() && runs_[k].first == label; ++k) count += runs_[k].second;
      winner.offer(label, count);
    }
    runs_.clear();
    return winner;
  }

 private:
  Label low_;
  std::vector<std::int64_t> table_;                   ///< for labels close together
  std::vector<std::pair<Label, std::int64_t>> runs_;  ///< for all others
};

template <class Element>
LabelModes modes_of(const Field& field, const Grid& grid, std::optional<std::int64_t> ignored) {
  using Label = typename Element::Value;
  LabelModes modes;
  Tally<Label> tally(range_of<Element>(field));
  for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
    std::int64_t counted = 0;
    for_each_run<Element>(field, cell_rect(grid, field.extent, cell), [&](Label label, std::int64_t length) {
      if (ignored && static_cast<std::int64_t>(label) == *ignored) return;
      tally.add(label, length);
      counted += length;
    });
    const Winner<Label> winner = tally.take_winner();
    const bool empty = counted == 0;
    modes.label.push_back(empty ? *ignored : static_cast<std::int64_t>(winner.label));
    modes.share.push_back(empty ? std::numeric_limits<double>::quiet_NaN()
                                : static_cast<double>(winner.count) / static_cast<double>(counted));
  }
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

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace percepts::kernels {

/// The label that most pixels of a cell have.
template <class Label>
struct Winner {
  Label label{};
  std::int64_t count = 0;    ///< pixels of this label
  std::int64_t counted = 0;  ///< pixels of any label that counts

  /// Of several labels of as many pixels the lowest stays.
  void offer(Label other, std::int64_t other_count) {
    counted += other_count;
    if (other_count > count || (other_count == count && other < label)) {
      label = other;
      count = other_count;
    }
  }
};

/// Counts labels below `size`, a power of two, in a table.
template <class Label, std::size_t size>
class TableTally {
 public:
  static bool takes(Label label) { return static_cast<std::uint64_t>(label) < size; }

  void add(Label label, std::uint32_t count) {
    lanes_[0][static_cast<std::size_t>(label)] += count;
    bits_ |= static_cast<std::size_t>(label);
  }

  /// One pixel of each label, all of which it takes; `bits` are those of all labels.
  template <std::size_t count>
  void add_each(const std::array<Label, count>& labels, Label bits) {
    // Neighbours often have the same label, and one counter cannot be raised in every cycle.
    for (std::size_t k = 0; k < count; ++k) ++lanes_[k % lanes_.size()][static_cast<std::size_t>(labels[k])];
    bits_ |= static_cast<std::size_t>(bits);
  }

  /// Offers all labels but `ignored`. The tally is empty then.
  void empty_into(Winner<Label>& winner, std::optional<Label> ignored) {
    for (std::size_t at = 0; at <= bits_; ++at) {
      std::int64_t count = 0;
      for (auto& lane : lanes_) count += std::exchange(lane[at], 0);
      const auto label = static_cast<Label>(at);
      if (count != 0 && label != ignored) winner.offer(label, count);
    }
    bits_ = 0;
  }

 private:
  std::array<std::array<std::uint32_t, size>, 4> lanes_{};
  std::size_t bits_ = 0;  ///< of all labels: none is larger
};

/// Counts any labels in a hash table with linear probing, of which three quarters stay empty.
template <class Label>
class HashTally {
 public:
  void add(Label label, std::uint32_t count) {
    std::size_t at = home_of(label);
    while (slots_[at].count != 0 && slots_[at].label != label) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].count == 0) {
      slots_[at].label = label;
      used_.push_back(at);
    }
    slots_[at].count += count;
    if (4 * used_.size() > slots_.size()) grow();
  }

  void empty_into(Winner<Label>& winner, std::optional<Label> ignored) {
    for (const std::size_t at : used_) {
      const auto [label, count] = std::exchange(slots_[at], {});
      if (label != ignored) winner.offer(label, count);
    }
    used_.clear();
  }

 private:
  struct Slot {
    Label label{};
    std::uint32_t count = 0;  ///< 0 in an empty slot; a cell has fewer than 2^31 pixels
  };

  std::size_t home_of(Label label) const {
    // Labels come in sequences: two rounds, so that no common step between them piles them up.
    std::uint64_t mixed = static_cast<std::uint64_t>(label) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const std::size_t at : std::exchange(used_, {})) add(old[at].label, old[at].count);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::vector<std::size_t> used_;
};

/// Counts the labels of a cell: small ones, which most are, in a table.
template <class Label>
class LabelTally {
 public:
  void add(Label label, std::uint32_t count) {
    if (Table::takes(label)) {
      table_.add(label, count);
    } else if (count != 0) {
      others_.add(label, count);
    }
  }

  /// One pixel of each label.
  template <std::size_t count>
  void add_each(const std::array<Label, count>& labels) {
    Label bits{};
    for (const Label label : labels) bits = static_cast<Label>(bits | label);
    if (Table::takes(bits)) {
      table_.add_each(labels, bits);
    } else {
      for (const Label label : labels) add(label, 1);
    }
  }

  /// The winner among all but the label `ignored`. The tally is empty then.
  Winner<Label> take_winner(std::optional<Label> ignored) {
    Winner<Label> winner;
    table_.empty_into(winner, ignored);
    others_.empty_into(winner, ignored);
    return winner;
  }

 private:
  using Table = TableTally<Label, sizeof(Label) == 1 ? 256 : 1024>;

  Table table_;
  HashTally<Label> others_;
};

}  // namespace percepts::kernels

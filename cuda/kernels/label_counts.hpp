#pragma once

#include <cstdint>

#include "kernels/elements.hpp"
#include "kernels/label_mode.hpp"

// Counts of labels in shared memory.

namespace percepts::cuda {

/// The label that most pixels have, of those that were offered.
template <class Label>
struct Winner {
  Label label = 0;
  std::uint32_t count = 0;

  /// Of several labels of as many pixels the lowest stays.
  __device__ __forceinline__ void offer(Label other, std::uint32_t other_count) {
    if (other_count > count || (other_count == count && other_count != 0 && other < label)) {
      label = other;
      count = other_count;
    }
  }
};

/// Small labels, which most are: one counter each.
struct LabelTable {
  static constexpr std::uint32_t size = 1024;
  std::uint32_t counts[size];
};

/// Any labels: a hash table with linear probing. A slot names a pixel that has its label, since claiming it
/// is then one atomic operation on 32 bits whatever the labels' type.
struct LabelHash {
  static constexpr std::uint32_t size = 2048;
  static constexpr std::uint32_t most_probes = 64;
  std::uint32_t owners[size];  ///< index of a pixel in its cell, plus one; 0 in an empty slot
  std::uint32_t counts[size];
};

/// Mixes all bits of a label. Different labels stay different, so that enough bits tell any two apart.
__device__ __forceinline__ std::uint64_t mixed(std::uint64_t label) {
  label = (label ^ (label >> 32)) * 0xD6E8FEB86659FD93U;
  label = (label ^ (label >> 32)) * 0xD6E8FEB86659FD93U;
  return label ^ (label >> 32);
}

/// Counts pixels of a label; false where the table has no place for it. `label_of(index)` is the label of the
/// cell's pixel at that index.
template <class Label, class LabelOf>
__device__ __forceinline__ bool count_in(LabelHash& hash, Label label, std::uint64_t mix, std::uint32_t index,
                                         std::uint32_t pixels, LabelOf label_of) {
  auto slot = static_cast<std::uint32_t>(mix >> 32) % LabelHash::size;
  for (std::uint32_t probe = 0; probe < LabelHash::most_probes; ++probe) {
    const std::uint32_t owner = atomicCAS(&hash.owners[slot], 0U, index + 1);
    if (owner == 0 || label_of(owner - 1) == label) {
      atomicAdd(&hash.counts[slot], pixels);
      return true;
    }
    slot = (slot + 1) % LabelHash::size;
  }
  return false;
}

}  // namespace percepts::cuda

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace percepts::kernels {

/// The two middle ones of several keys in order; the same one twice, where their number is odd.
template <class Key>
struct Middle {
  Key low, high;
};

/// Finds the middle of keys without ordering them: counts them in bins over their range, keeps those of the
/// bin that has the middle, and begins again. Each round narrows the range to a fraction, whatever the keys,
/// so that there are few rounds and no bad input.
template <class Key>
class MiddleKeys {
 public:
  /// At least one key. They are overwritten.
  Middle<Key> operator()(std::span<Key> keys) {
    std::size_t low = (keys.size() - 1) / 2, high = keys.size() / 2;
    while (keys.size() > few) {
      const auto [first, last] = extremes_of(keys);
      if (first == last) return {first, first};
      const Bins bins(first, last, keys.size());
      const auto [bin, below, count] = count_in_bins(keys, bins, low);
      if (high - below >= count) return around_end_of(bin, keys, bins);
      if (bins.shift == 0) return both(static_cast<Key>(static_cast<Bits>(first) + static_cast<Bits>(bin)));
      keys = kept(keys, bins, bin);
      low -= below;
      high -= below;
    }
    std::sort(keys.begin(), keys.end());
    return {keys[low], keys[high]};
  }

 private:
  using Bits = std::make_unsigned_t<Key>;

  static constexpr std::size_t few = 32;
  static constexpr int most_bin_bits = 10;

  /// Ranges of 2^shift values, from the first key on.
  struct Bins {
    Bins(Key first_key, Key last_key, std::size_t keys) : first(static_cast<Bits>(first_key)) {
      const auto range = static_cast<Bits>(static_cast<Bits>(last_key) - first);
      const int bin_bits = std::min(most_bin_bits, static_cast<int>(std::bit_width(keys)) - 1);
      shift = std::max(0, static_cast<int>(std::bit_width(range)) - bin_bits);
      size = static_cast<std::size_t>(range >> shift) + 1;
    }

    std::size_t of(Key key) const {
      return static_cast<std::size_t>(static_cast<Bits>(static_cast<Bits>(key) - first) >> shift);
    }

    Bits first;
    int shift;
    std::size_t size;
  };

  struct Bin {
    std::size_t index;
    std::size_t below;  ///< keys in the bins before it
    std::size_t count;  ///< keys in it
  };

  static Middle<Key> both(Key key) { return {key, key}; }

  static Middle<Key> extremes_of(std::span<const Key> keys) {
    Key low = keys.front(), high = keys.front();
    for (const Key key : keys) {
      low = std::min(low, key);
      high = std::max(high, key);
    }
    return {low, high};
  }

  /// The bin of the key that `rank` others precede in order.
  Bin count_in_bins(std::span<const Key> keys, const Bins& bins, std::size_t rank) {
    // Two counters for each bin: neighbours are often in the same one, which cannot be raised in every cycle.
    auto& [even, odd] = counts_;
    std::fill_n(even.begin(), bins.size, 0);
    std::fill_n(odd.begin(), bins.size, 0);
    std::size_t k = 0;
    for (; k + 1 < keys.size(); k += 2) {
      ++even[bins.of(keys[k])];
      ++odd[bins.of(keys[k + 1])];
    }
    if (k < keys.size()) ++even[bins.of(keys[k])];
    Bin bin{0, 0, 0};
    for (;; ++bin.index, bin.below += bin.count) {
      bin.count = std::size_t{even[bin.index]} + odd[bin.index];
      if (rank < bin.below + bin.count) return bin;
    }
  }

  /// The last key of a bin, and the first one behind it.
  static Middle<Key> around_end_of(std::size_t bin, std::span<const Key> keys, const Bins& bins) {
    Middle<Key> middle{std::numeric_limits<Key>::min(), std::numeric_limits<Key>::max()};
    for (const Key key : keys) {
      if (bins.of(key) <= bin) {
        middle.low = std::max(middle.low, key);
      } else {
        middle.high = std::min(middle.high, key);
      }
    }
    return middle;
  }

  /// The keys of a bin, at the front. Mostly they are few, and most blocks have none.
  static std::span<Key> kept(std::span<Key> keys, const Bins& bins, std::size_t bin) {
    constexpr std::size_t block = 16;
    const auto start =
        static_cast<Bits>(bins.first + static_cast<Bits>(static_cast<Bits>(bin) << bins.shift));
    const auto last = static_cast<Bits>((Bits{1} << bins.shift) - 1);
    const auto is_in_bin = [&](Key key) {
      return static_cast<Bits>(static_cast<Bits>(key) - start) <= last ? Bits{1} : Bits{0};
    };
    std::size_t count = 0;
    for (std::size_t at = 0; at < keys.size(); at += block) {
      const std::span<const Key> part = keys.subspan(at, std::min(block, keys.size() - at));
      if (part.size() == block) {
        Bits any = 0;
        for (std::size_t k = 0; k < block; ++k) any = static_cast<Bits>(any | is_in_bin(part[k]));
        if (any == 0) continue;
      }
      for (const Key key : part) {
        keys[count] = key;
        count += is_in_bin(key);
      }
    }
    return keys.first(count);
  }

  std::array<std::array<std::uint32_t, (1U << most_bin_bits)>, 2> counts_;
};

}  // namespace percepts::kernels

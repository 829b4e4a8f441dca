#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace percepts::words {

// The fixed words of the format: they stand bare, every other string is quoted.

using Words = std::span<const std::string_view>;

inline constexpr std::array<std::string_view, 10> modalities{
    "depth",          "flow",   "segmentation",     "albedo",   "similarity",
    "correspondence", "jigsaw", "object-detection", "semantic", "point-detection"};
inline constexpr std::array<std::string_view, 6> granularities{"patch",        "keypoint", "border",
                                                               "bounding-box", "point",    "pixels"};
inline constexpr std::array<std::string_view, 4> predicates{"in_front_of", "adjacent_to", "is darker than",
                                                            "about the same as"};
inline constexpr std::array<std::string_view, 5> readings{"unknown", "left", "right", "up", "down"};
inline constexpr std::array<std::string_view, 2> borders{"left", "top"};

inline bool contain(Words words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace percepts::words

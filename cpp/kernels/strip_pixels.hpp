#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "percepts/image.hpp"

namespace percepts::kernels {

/// What is counted for the similarity of colours.
enum class Bins : std::uint8_t {
  intensity,  ///< 32 of the brightness
  hsv,        ///< 8 of the hue by 8 of the saturation by 8 of the value
};

std::size_t count_of(Bins bins);

/// A strip as the similarities read it, line by line.
struct StripPixels {
  std::size_t lines = 0;
  std::size_t length = 0;
  std::vector<double> luma;         ///< brightness in 1/1000 of a level of 255; whole numbers for uint8
  std::vector<std::uint64_t> bins;  ///< how many pixels each bin has

  std::size_t size() const { return luma.size(); }
};

/// White in `StripPixels::luma`.
inline constexpr double white_luma = 255000;

/// Reads a strip whose rows are its lines. Errors call the image `name`.
StripPixels read_strip(const Image& strip, Bins bins, std::string_view name);

}  // namespace percepts::kernels

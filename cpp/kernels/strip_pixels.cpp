#include "kernels/strip_pixels.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/element.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts::kernels {
namespace {

constexpr double white = 255;
constexpr std::uint32_t intensity_bins = 32;
constexpr std::uint32_t hsv_bins = 8;  // of each of the three

/// The channels of a pixel, from 0 to 255.
struct Levels {
  double red;
  double green;
  double blue;
};

std::uint32_t bin_of(double scaled, std::uint32_t count) {
  return std::min(static_cast<std::uint32_t>(scaled), count - 1);
}

/// The hue, from 0 (red) over 2 (green) and 4 (blue) to below 6; 0 for grey.
double hue_of(const Levels& pixel, double value, double chroma) {
  if (chroma == 0) return 0;
  if (value == pixel.red) {
    const double hue = (pixel.green - pixel.blue) / chroma;
    return hue < 0 ? hue + 6 : hue;
  }
  if (value == pixel.green) return 2 + (pixel.blue - pixel.red) / chroma;
  return 4 + (pixel.red - pixel.green) / chroma;
}

std::uint32_t hsv_bin_of(const Levels& pixel) {
  const double value = std::max({pixel.red, pixel.green, pixel.blue});
  const double chroma = value - std::min({pixel.red, pixel.green, pixel.blue});
  const double hue = hue_of(pixel, value, chroma);
  const double saturation = value == 0 ? 0 : chroma / value;
  const std::uint32_t h = bin_of(hue * hsv_bins / 6, hsv_bins);
  const std::uint32_t s = bin_of(saturation * hsv_bins, hsv_bins);
  const std::uint32_t v = bin_of(value * hsv_bins / white, hsv_bins);
  return (h * hsv_bins + s) * hsv_bins + v;
}

template <class Value>
double level_of(Value value, std::string_view name) {
  if constexpr (std::is_floating_point_v<Value>) {
    const double real = value;
    if (!(real >= 0 && real <= 1)) {
      throw InvalidArgument(message(name, " must have values in [0, 1], got ", real));
    }
    return real * white;
  } else {
    return value;
  }
}

template <class Element>
StripPixels read(const Image& strip, Bins bins, std::string_view name) {
  StripPixels pixels{.lines = static_cast<std::size_t>(strip.extent.height),
                     .length = static_cast<std::size_t>(strip.extent.width),
                     .luma = {},
                     .bins = std::vector<std::uint64_t>(count_of(bins))};
  pixels.luma.reserve(pixels.lines * pixels.length);
  for (std::int64_t y = 0; y < strip.extent.height; ++y) {
    const std::byte* pixel = strip.data + y * strip.stride_y;
    for (std::int64_t x = 0; x < strip.extent.width; ++x, pixel += strip.stride_x) {
      const double first = level_of(Element::load(pixel), name);
      Levels levels{first, first, first};
      double luma = 1000 * first;
      if (strip.channels == 3) {
        levels.green = level_of(Element::load(pixel + strip.stride_channel), name);
        levels.blue = level_of(Element::load(pixel + 2 * strip.stride_channel), name);
        luma = 299 * levels.red + 587 * levels.green + 114 * levels.blue;
      }
      pixels.luma.push_back(luma);
      ++pixels.bins[bins == Bins::hsv ? hsv_bin_of(levels)
                                      : bin_of(luma * intensity_bins / white_luma, intensity_bins)];
    }
  }
  return pixels;
}

}  // namespace

std::size_t count_of(Bins bins) {
  return bins == Bins::hsv ? std::size_t{hsv_bins} * hsv_bins * hsv_bins : intensity_bins;
}

StripPixels read_strip(const Image& strip, Bins bins, std::string_view name) {
  return visit_element(strip.dtype, [&]<class Element>(Element) -> StripPixels {
    if constexpr (std::is_same_v<Element, Stored<std::uint8_t>> ||
                  std::is_floating_point_v<typename Element::Value>) {
      return read<Element>(strip, bins, name);
    } else {
      throw InvalidArgument(message(name, " must be uint8 or floating point, got ", name_of(strip.dtype)));
    }
  });
}

}  // namespace percepts::kernels

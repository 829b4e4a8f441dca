#include "kernels/strip_similarity.hpp"

#include <algorithm>
#include <cmath>

#include "percepts/error.hpp"
#include "src/message.hpp"

// Every sum is taken in the order that the reference defines: results are the same to the last bit.

namespace percepts {
namespace kernels {
namespace {

using Plane = std::vector<double>;

constexpr double window_side = 7;
constexpr double luminance_constant = 0.01 * white_luma * (0.01 * white_luma);
constexpr double contrast_constant = 0.03 * white_luma * (0.03 * white_luma);

/// Deviations of gradients, squared, below this share of the gradients' own squares are rounding errors.
constexpr double flat_share = 1e-20;

double from_correlation(double value) { return (value + 1) / 2; }

/// The side of the square windows: 7, or the largest odd number that fits.
std::size_t side_of(const StripPixels& strip) {
  const std::size_t most = std::min({static_cast<std::size_t>(window_side), strip.lines, strip.length});
  return most - (most + 1) % 2;
}

/// Sums of products of two strips over all windows: down the lines of a window, then along it.
class WindowSums {
 public:
  WindowSums(const StripPixels& strip, std::size_t side)
      : length_(strip.length), side_(side), columns_(length_), sums_(length_ - side + 1) {}

  /// The sums over the windows that begin in a line. The factors are planes of the strip's size, or one.
  template <class Product>
  const Plane& from_line(std::size_t line, Product product) {
    const std::size_t first = line * length_;
    for (std::size_t x = 0; x < length_; ++x) columns_[x] = product(first + x);
    for (std::size_t k = 1; k < side_; ++k) {
      for (std::size_t x = 0; x < length_; ++x) columns_[x] += product(first + k * length_ + x);
    }
    std::copy_n(columns_.begin(), sums_.size(), sums_.begin());
    for (std::size_t k = 1; k < side_; ++k) {
      for (std::size_t x = 0; x < sums_.size(); ++x) sums_[x] += columns_[x + k];
    }
    return sums_;
  }

 private:
  std::size_t length_;
  std::size_t side_;
  Plane columns_;
  Plane sums_;
};

/// Mean SSIM over all square windows inside the strips, in sums rather than means: they are whole numbers for
/// uint8, and exact.
double structural_similarity(const StripPixels& strip0, const StripPixels& strip1) {
  const std::size_t side = side_of(strip0);
  const auto n = static_cast<double>(side * side);
  const double c1 = luminance_constant * (n * n);
  const double c2 = contrast_constant * (n * n);
  const Plane& luma0 = strip0.luma;
  const Plane& luma1 = strip1.luma;
  WindowSums sums_a(strip0, side);
  WindowSums sums_b(strip0, side);
  WindowSums sums_aa(strip0, side);
  WindowSums sums_bb(strip0, side);
  WindowSums sums_ab(strip0, side);
  const std::size_t lines = strip0.lines - side + 1;
  double total = 0;
  for (std::size_t line = 0; line < lines; ++line) {
    const Plane& a = sums_a.from_line(line, [&](std::size_t k) { return luma0[k]; });
    const Plane& b = sums_b.from_line(line, [&](std::size_t k) { return luma1[k]; });
    const Plane& aa = sums_aa.from_line(line, [&](std::size_t k) { return luma0[k] * luma0[k]; });
    const Plane& bb = sums_bb.from_line(line, [&](std::size_t k) { return luma1[k] * luma1[k]; });
    const Plane& ab = sums_ab.from_line(line, [&](std::size_t k) { return luma0[k] * luma1[k]; });
    for (std::size_t x = 0; x < a.size(); ++x) {
      const double variance0 = n * aa[x] - a[x] * a[x];
      const double variance1 = n * bb[x] - b[x] * b[x];
      const double covariance = n * ab[x] - a[x] * b[x];
      const double luminance = a[x] * a[x] + b[x] * b[x] + c1;
      total += (2 * (a[x] * b[x]) + c1) * (2 * covariance + c2) / (luminance * (variance0 + variance1 + c2));
    }
  }
  return total / static_cast<double>(lines * (strip0.length - side + 1));
}

/// 1 − half the chi-square distance Σ (p − q)² / (p + q) of two histograms of shares.
double color_similarity(const StripPixels& strip0, const StripPixels& strip1) {
  double distance = 0;
  for (std::size_t bin = 0; bin < strip0.bins.size(); ++bin) {
    const auto count0 = static_cast<double>(strip0.bins[bin]);
    const auto count1 = static_cast<double>(strip1.bins[bin]);
    if (count0 + count1 == 0) continue;
    distance += (count0 - count1) * (count0 - count1) / (count0 + count1);
  }
  return std::max(0.0, 1 - distance / static_cast<double>(2 * strip0.size()));
}

/// Magnitudes of Sobel's gradient; what would lie outside the strip is as its nearest pixel.
Plane gradients_of(const StripPixels& strip) {
  const std::size_t lines = strip.lines;
  const std::size_t length = strip.length;
  Plane across(length);  // brightness changes from line to line
  Plane smooth(length);  // brightness, weighted 1, 2, 1 over the lines
  Plane magnitudes;
  magnitudes.reserve(strip.size());
  for (std::size_t y = 0; y < lines; ++y) {
    const double* line = strip.luma.data() + y * length;
    const double* above = y == 0 ? line : line - length;
    const double* below = y + 1 == lines ? line : line + length;
    for (std::size_t x = 0; x < length; ++x) {
      across[x] = below[x] - above[x];
      smooth[x] = above[x] + 2 * line[x] + below[x];
    }
    for (std::size_t x = 0; x < length; ++x) {
      const std::size_t left = x == 0 ? x : x - 1;
      const std::size_t right = x + 1 == length ? x : x + 1;
      const double gy = across[left] + 2 * across[x] + across[right];
      const double gx = smooth[right] - smooth[left];
      magnitudes.push_back(std::sqrt(gx * gx + gy * gy));
    }
  }
  return magnitudes;
}

struct Moments {
  double mean = 0;
  double squares = 0;
};

Moments moments_of(const Plane& values) {
  Moments moments;
  double total = 0;
  for (const double value : values) {
    total += value;
    moments.squares += value * value;
  }
  moments.mean = total / static_cast<double>(values.size());
  return moments;
}

/// Normalised cross-correlation of the gradients, from which their means are taken. Two strips with the same
/// gradient everywhere correlate fully, one of them with another strip not at all.
double edge_correlation(const StripPixels& strip0, const StripPixels& strip1) {
  const Plane gradients0 = gradients_of(strip0);
  const Plane gradients1 = gradients_of(strip1);
  const Moments moments0 = moments_of(gradients0);
  const Moments moments1 = moments_of(gradients1);
  double squares0 = 0;
  double squares1 = 0;
  double products = 0;
  for (std::size_t k = 0; k < gradients0.size(); ++k) {
    const double deviation0 = gradients0[k] - moments0.mean;
    const double deviation1 = gradients1[k] - moments1.mean;
    squares0 += deviation0 * deviation0;
    squares1 += deviation1 * deviation1;
    products += deviation0 * deviation1;
  }
  const bool is_flat0 = squares0 <= flat_share * moments0.squares;
  const bool is_flat1 = squares1 <= flat_share * moments1.squares;
  if (is_flat0 || is_flat1) return is_flat0 && is_flat1 ? 1 : 0;
  return std::clamp(products / std::sqrt(squares0 * squares1), -1.0, 1.0);
}

}  // namespace

StripSimilarity strip_similarity(const StripPixels& strip0, const StripPixels& strip1) {
  return {.structure = from_correlation(structural_similarity(strip0, strip1)),
          .color = color_similarity(strip0, strip1),
          .edge = from_correlation(edge_correlation(strip0, strip1))};
}

}  // namespace kernels

StripSimilarity strip_similarity(const Image& strip0, const Image& strip1) {
  const Extent& extent = strip0.extent;
  if (extent.height != strip1.extent.height || extent.width != strip1.extent.width ||
      strip0.channels != strip1.channels) {
    throw InvalidArgument("strips must have the same shape");
  }
  if (extent.height < 1 || extent.width < 1) throw InvalidArgument("strips must have at least one pixel");
  const kernels::Bins bins = strip0.channels == 3 ? kernels::Bins::hsv : kernels::Bins::intensity;
  return kernels::strip_similarity(kernels::read_strip(strip0, bins, "strips0"),
                                   kernels::read_strip(strip1, bins, "strips1"));
}

}  // namespace percepts

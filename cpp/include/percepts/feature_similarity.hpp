#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "percepts/dtype.hpp"
#include "percepts/field.hpp"
#include "percepts/point.hpp"

namespace percepts {

/// A view of a C×h×w feature map in memory that belongs to somebody else. Strides are in bytes and may be
/// negative or zero; elements need not be aligned.
struct FeatureMap {
  const std::byte* data = nullptr;  ///< the first channel of the first cell
  DType dtype = DType::float32;
  std::int64_t channels = 0;
  Extent extent;                ///< in feature cells
  std::ptrdiff_t stride_c = 0;  ///< bytes from one channel to the next
  std::ptrdiff_t stride_y = 0;  ///< bytes from one row to the next
  std::ptrdiff_t stride_x = 0;  ///< bytes from one cell to the next
};

/// Cosine similarity, in float64, of the features at each target in the second image to those at the source
/// in the first.
///
/// Features between the centres of cells are interpolated bilinearly, beyond the outermost centres they stay
/// what they are there. `size0` and `size1` are the images that the points are in pixels of; without one,
/// points are in feature cells. Pixel (x, y) has its centre at (x + 0.5, y + 0.5), and so has a feature cell.
/// A vector of zeros has similarity 0; where a feature that is needed is not finite, the similarity is NaN.
///
/// Throws InvalidArgument when the maps are empty or have different numbers of channels, an image has no
/// pixel, or a point is outside its image.
std::vector<double> feature_similarity(const FeatureMap& features0, const FeatureMap& features1, Point source,
                                       std::span<const Point> targets,
                                       std::optional<Extent> size0 = std::nullopt,
                                       std::optional<Extent> size1 = std::nullopt);

}  // namespace percepts

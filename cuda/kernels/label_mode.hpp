#pragma once

#include <cstdint>

#include "kernels/pixels.hpp"
#include "percepts/dtype.hpp"
#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "runtime/launch.hpp"

namespace percepts::cuda {

/// Label maps, and where the labels of most pixels of their cells go.
struct LabelParams {
  Pixels labels;
  Pixels mask;  ///< no data: all pixels
  Extent extent;
  Grid grid;
  std::int64_t cells;     ///< of all maps
  bool ignores;           ///< a label that counts for nothing
  std::uint64_t ignored;  ///< its bits, in the lower bits
  std::uint64_t nothing;  ///< the bits of the label of a cell without a pixel that counts
  void* label;
  double* share;
};

/// Labels are integers or boolean.
cudaError_t find_label_modes(DType dtype, const LabelParams& params, cudaStream_t stream);

}  // namespace percepts::cuda

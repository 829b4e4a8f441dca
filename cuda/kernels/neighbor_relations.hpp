#pragma once

#include <cstdint>

#include "percepts/grid.hpp"
#include "runtime/launch.hpp"

namespace percepts::cuda {

/// Means of the cells of maps, dense, and where their relations go.
struct NeighborParams {
  const double* mean;
  std::int64_t count;  ///< of all maps
  Grid grid;
  double tau;
  std::int8_t* relations;  ///< two a cell
};

cudaError_t relate_neighbors(const NeighborParams& params, cudaStream_t stream);

}  // namespace percepts::cuda

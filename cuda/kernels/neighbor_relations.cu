#include <algorithm>

#include "kernels/neighbor_relations.hpp"
#include "percepts/reading.hpp"

namespace percepts::cuda {
namespace {

__global__ void __launch_bounds__(256) neighbor_relations(const __grid_constant__ NeighborParams params) {
  const auto [rows, cols] = params.grid;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; at < params.count; at += step) {
    const std::int64_t col = at % cols;
    const std::int64_t row = at / cols % rows;
    const double mean = params.mean[at];
    const int right = col + 1 < cols ? in_front(mean, params.mean[at + 1], params.tau) : 0;
    const int below = row + 1 < rows ? in_front(mean, params.mean[at + cols], params.tau) : 0;
    params.relations[2 * at] = static_cast<std::int8_t>(right);
    params.relations[2 * at + 1] = static_cast<std::int8_t>(below);
  }
}

}  // namespace

cudaError_t relate_neighbors(const NeighborParams& params, cudaStream_t stream) {
  if (params.count == 0) return cudaSuccess;
  constexpr std::int64_t threads = 256;
  constexpr std::int64_t most_blocks = 1 << 16;
  const std::int64_t blocks = std::min((params.count + threads - 1) / threads, most_blocks);
  return launch(neighbor_relations, {.grid = static_cast<unsigned>(blocks), .block = threads, .shared = 0},
                stream, params);
}

}  // namespace percepts::cuda

// Minimum, maximum and sum of every cell by CUB's segmented reduction: what one would write without a kernel
// of one's own. An iterator gathers the pixels of a cell; each of the three reads the maps once.
//   cub_segmented MAPS HEIGHT WIDTH GRID  prints {"seconds": median of one round}

#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_segmented_reduce.cuh>
#include <functional>
#include <random>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  std::exit(1);
}

/// Cells one after another: `index` counts pixels cell by cell, where all cells are padded to the largest
/// one.
struct Gather {
  const float* maps;
  long long height, width, grid, cell_height, cell_width;
  float padding;

  __host__ __device__ float operator()(long long index) const {
    const long long padded = cell_height * cell_width;
    const long long cell = index / padded, within = index % padded;
    const long long map = cell / (grid * grid), row = cell / grid % grid, col = cell % grid;
    const long long y = row * height / grid + within / cell_width;
    const long long x = col * width / grid + within % cell_width;
    if (y >= (row + 1) * height / grid || x >= (col + 1) * width / grid) return padding;
    return maps[(map * height + y) * width + x];
  }
};

struct Offset {
  long long padded;
  __host__ __device__ long long operator()(long long cell) const { return cell * padded; }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const long long maps = std::atoll(argv[1]), height = std::atoll(argv[2]), width = std::atoll(argv[3]);
  const long long grid = std::atoll(argv[4]), cells = maps * grid * grid;
  std::vector<float> values(static_cast<std::size_t>(maps * height * width));
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (float& value : values) value = uniform(random);
  float *input = nullptr, *output = nullptr;
  check(cudaMalloc(&input, values.size() * sizeof(float)));
  check(cudaMalloc(&output, static_cast<std::size_t>(cells) * sizeof(float)));
  check(cudaMemcpy(input, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));

  const long long cell_height = (height + grid - 1) / grid, cell_width = (width + grid - 1) / grid;
  const auto offsets = thrust::make_transform_iterator(thrust::counting_iterator<long long>(0),
                                                       Offset{cell_height * cell_width});
  const auto pixels = [&](float padding) {
    return thrust::make_transform_iterator(
        thrust::counting_iterator<long long>(0),
        Gather{input, height, width, grid, cell_height, cell_width, padding});
  };
  void* scratch = nullptr;
  std::size_t bytes = 0;
  const auto round = [&] {
    using Reduce = cub::DeviceSegmentedReduce;
    check(Reduce::Min(scratch, bytes, pixels(INFINITY), output, cells, offsets, offsets + 1));
    if (scratch == nullptr) return;
    check(Reduce::Max(scratch, bytes, pixels(-INFINITY), output, cells, offsets, offsets + 1));
    check(Reduce::Sum(scratch, bytes, pixels(0), output, cells, offsets, offsets + 1));
  };
  round();
  bytes += 1 << 20;  // the three need about the same
  check(cudaMalloc(&scratch, bytes));

  cudaEvent_t start, end;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int k = 0; k < 23; ++k) {
    check(cudaEventRecord(start));
    round();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, end));
    if (k >= 3) times.push_back(milliseconds);
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  std::printf("{\"seconds\": %.9g}\n", static_cast<double>(times[10]) / 1e3);
  return 0;
}

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "launch.hpp"

using namespace percepts::cuda;
namespace {
struct Sum {
  const float* in;
  float* out;
  unsigned* done;
  float* total;
};
__global__ void sum_kernel(const __grid_constant__ Sum p) {
  __shared__ float warps[32];
  __shared__ bool last;
  float v = p.in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, unsigned(d));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
  __syncthreads();
  float* dyn = dynamic_shared<float>();
  dyn[threadIdx.x] = v;
  if (threadIdx.x == 0) {
    float s = 0;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) s += warps[i];
    p.out[blockIdx.x] = s;
    __threadfence();
    last = atomicAdd(p.done, 1u) == gridDim.x - 1;
    if (last) __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float s = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) s += p.out[i];
    *p.total = s;
  }
}
struct None {
  int n;
};
__global__ void barriers(None p) {
  for (int i = 0; i < p.n; ++i) {
    __syncthreads();
  }
}
__global__ void shuffles(None p) {
  int v = 0;
  for (int i = 0; i < p.n; ++i) v += __shfl_xor_sync(~0u, v + i, 1);
  if (v == 12345) __syncwarp();
}
}  // namespace
int main() {
  constexpr unsigned grid = 5, block = 256;
  std::vector<float> host(grid * block, 1.0f);
  float* in;
  float* out;
  unsigned* done;
  float* total;
  cudaMalloc(&in, host.size() * 4);
  cudaMalloc(&out, grid * 4);
  cudaMalloc(&done, 4);
  cudaMalloc(&total, 4);
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMemcpyAsync(in, host.data(), host.size() * 4, cudaMemcpyHostToDevice, s);
  cudaMemsetAsync(done, 0, 4, s);
  if (launch(sum_kernel, {grid, block, block * 4}, s, {in, out, done, total}) != cudaSuccess) return 1;
  float result = 0;
  cudaMemcpyAsync(&result, total, 4, cudaMemcpyDeviceToHost, s);
  std::printf("%g %s\n", double(result), cudaGetErrorName(cudaStreamSynchronize(s)));
  for (auto k : {barriers, shuffles}) {
    auto t = std::chrono::steady_clock::now();
    (void)launch(k, {10, 256}, s, None{20});
    cudaStreamSynchronize(s);
    std::printf("%g ms a block\n",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count() * 100);
  }
  return result == 1280 ? 0 : 1;
}

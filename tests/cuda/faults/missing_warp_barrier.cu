#include "planted.hpp"

namespace {

struct Params {
  int* target;
  bool mended;
};

// A shuffle makes lanes wait for each other, but does not make them see each other's memory.
__global__ void neighbor(const __grid_constant__ Params params) {
  __shared__ int values[32];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  int sum = __shfl_xor_sync(0xffffffff, static_cast<int>(threadIdx.x), 1);
  if (params.mended) __syncwarp();
  sum += values[threadIdx.x ^ 1];
  params.target[threadIdx.x] = sum;
}

}  // namespace

int main(int argc, char** argv) {
  planted::run(neighbor, {1, 32}, Params{planted::device_memory<int>(32), planted::is_mended(argc, argv)});
}

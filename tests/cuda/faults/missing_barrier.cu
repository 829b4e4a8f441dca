#include "planted.hpp"

namespace {

struct Params {
  int* target;
  bool mended;
};

__global__ void reverse(const __grid_constant__ Params params) {
  __shared__ int values[64];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (params.mended) __syncthreads();
  params.target[threadIdx.x] = values[63 - threadIdx.x];
}

}  // namespace

int main(int argc, char** argv) {
  planted::run(reverse, {1, 64}, Params{planted::device_memory<int>(64), planted::is_mended(argc, argv)});
}

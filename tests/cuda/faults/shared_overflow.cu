#include "planted.hpp"

namespace {

struct Params {
  int* target;
  unsigned count;
};

template <unsigned size>
__global__ void fill(const __grid_constant__ Params params) {
  __shared__ int values[size];
  values[threadIdx.x * params.count / blockDim.x] = 1;
  __syncthreads();
  params.target[threadIdx.x] = values[0];
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned beyond = planted::is_mended(argc, argv) ? 0 : 4;
  planted::run(fill<32>, {1, 32}, Params{planted::device_memory<int>(32), 32 + beyond});
}

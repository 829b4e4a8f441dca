#include "planted.hpp"

namespace {

struct Params {
  int* partial;
  unsigned* count;
  int* total;
  bool mended;
};

// The last block adds up what the others have written.
__global__ void add_up(const __grid_constant__ Params params) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    params.partial[blockIdx.x] = static_cast<int>(blockIdx.x);
    if (params.mended) __threadfence();
    is_last = atomicAdd(params.count, 1U) == gridDim.x - 1;
    if (is_last) __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 32) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += params.partial[i];
  *params.total = sum;
}

}  // namespace

int main(int argc, char** argv) {
  planted::run(add_up, {3, 64},
               Params{planted::device_memory<int>(3), planted::device_memory<unsigned>(1),
                      planted::device_memory<int>(1), planted::is_mended(argc, argv)});
}

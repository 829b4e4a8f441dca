#include "planted.hpp"

namespace {

struct Params {
  bool mended;
};

__global__ void wait(const __grid_constant__ Params params) {
  if (!params.mended && threadIdx.x == 40) return;
  __syncthreads();
}

}  // namespace

int main(int argc, char** argv) { planted::run(wait, {1, 64}, Params{planted::is_mended(argc, argv)}); }

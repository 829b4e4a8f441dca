#include "planted.hpp"

namespace {

struct Params {
  bool mended;
};

__global__ void vote(const __grid_constant__ Params params) {
  if (params.mended || threadIdx.x != 7) __any_sync(0xffffffff, 1);
  __syncthreads();
}

}  // namespace

int main(int argc, char** argv) { planted::run(vote, {1, 32}, Params{planted::is_mended(argc, argv)}); }

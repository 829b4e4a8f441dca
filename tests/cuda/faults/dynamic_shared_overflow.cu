#include "planted.hpp"

namespace {

struct Params {
  unsigned offset;
};

__global__ void fill(const __grid_constant__ Params params) {
  percepts::cuda::dynamic_shared<int>()[threadIdx.x + params.offset] = 1;
}

}  // namespace

int main(int argc, char** argv) {
  planted::run(fill, {1, 32, 32 * sizeof(int)}, Params{planted::is_mended(argc, argv) ? 0U : 1U});
}

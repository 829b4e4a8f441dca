#include "planted.hpp"

namespace {

struct Params {
  float* target;
  unsigned offset;
};

__global__ void fill(const __grid_constant__ Params params) {
  params.target[threadIdx.x + params.offset] = 1;
}

}  // namespace

int main(int argc, char** argv) {
  planted::run(fill, {1, 32},
               Params{planted::device_memory<float>(32), planted::is_mended(argc, argv) ? 0U : 1U});
}

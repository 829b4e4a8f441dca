#include "planted.hpp"

namespace {

struct Params {
  int* target;
};

__global__ void write(const __grid_constant__ Params params) { *params.target = 1; }

}  // namespace

int main(int argc, char** argv) {
  auto* const memory = planted::device_memory<int>(1);
  planted::must(cudaDeviceSynchronize());
  if (!planted::is_mended(argc, argv)) planted::must(cudaSetDevice(1));
  planted::run(write, {1, 1}, Params{memory});
}

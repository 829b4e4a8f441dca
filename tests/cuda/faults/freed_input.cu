#include "emulation/control.hpp"
#include "planted.hpp"

namespace {

struct Params {
  const float* source;
  float* target;
};

__global__ void copy(const __grid_constant__ Params params) {
  params.target[threadIdx.x] = params.source[threadIdx.x];
}

}  // namespace

// An allocator that knows nothing of our stream takes the input back while the kernel still waits there.
int main(int argc, char** argv) {
  namespace emulation = percepts::cuda::emulation;
  auto* const source = static_cast<float*>(emulation::allocate(0, 32 * sizeof(float)));
  auto* const target = planted::device_memory<float>(32);
  planted::must(percepts::cuda::launch(copy, {1, 32}, nullptr, {source, target}));
  if (planted::is_mended(argc, argv)) planted::must(cudaStreamSynchronize(nullptr));
  emulation::release(source);
  planted::must(cudaStreamSynchronize(nullptr));
}

#include "planted.hpp"

namespace {

struct Params {
  int* target;
};

__global__ void write(const __grid_constant__ Params params) { *params.target = 1; }

}  // namespace

int main(int argc, char** argv) {
  auto* const memory = planted::device_memory<int>(1);
  cudaStream_t stream = nullptr;
  planted::must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  planted::must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  planted::must(percepts::cuda::launch(write, {1, 1}, stream, {memory}));
  if (!planted::is_mended(argc, argv)) planted::must(cudaStreamSynchronize(stream));
  cudaGraph_t graph = nullptr;
  planted::must(cudaStreamEndCapture(stream, &graph));
  planted::must(cudaGraphDestroy(graph));
}

#include "planted.hpp"

int main(int argc, char** argv) {
  auto* const memory = planted::device_memory<int>(1);
  planted::must(cudaDeviceSynchronize());
  int value = 0;
  if (planted::is_mended(argc, argv)) {
    planted::must(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
  } else {
    value = *memory;
  }
  return value;
}

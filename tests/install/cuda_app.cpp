// Says what this build and this machine have of CUDA, and why a map on a device cannot be read where it
// cannot.

#include <iostream>
#include <percepts/cuda.hpp>
#include <percepts/percepts.hpp>

int main() {
  for (const std::int32_t architecture : percepts::cuda::architectures()) std::cout << architecture << '\n';
  const std::string why = percepts::cuda::why_unavailable();
  if (why.empty()) {
    for (const percepts::cuda::Device& device : percepts::cuda::devices()) std::cout << device.name << '\n';
    return 0;
  }
  std::cout << why;
  const percepts::cuda::Maps maps = percepts::cuda::dense_maps<float>(0, nullptr, {40, 40});
  try {
    percepts::cuda::depth(maps, {}, nullptr);
  } catch (const percepts::DeviceError& error) {
    std::cerr << error.what();
    return 0;
  }
  return 1;
}

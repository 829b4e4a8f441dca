// A depth map in the memory of a GPU, such as a network leaves it there, becomes text without a copy of the
// map. An application calls RoomReader::read() with the network's output and the stream that it was computed
// on.
//
// usage: cuda_to_text

#include <cstdint>
#include <iostream>
#include <string>

#include "percepts/cuda.hpp"
#include "percepts/percepts.hpp"

namespace {

/// Reads maps of metres of one shape, one after another.
class RoomReader {
 public:
  RoomReader(int device, percepts::Extent extent)
      : device_(device), extent_(extent), plan_({.device = device, .extent = extent}, options()) {}

  /// The program of a map on the device that the stream's work writes. The map may be overwritten by work
  /// that comes later on the same stream.
  std::string read(const float* metres, percepts::cuda::Stream stream) {
    plan_.run(percepts::cuda::dense_maps(device_, metres, extent_), stream);  // waits for nothing
    plan_.wait();
    return to_text(plan_.program(0));
  }

 private:
  static percepts::DepthOptions options() {
    percepts::DepthOptions options;
    options.kind = percepts::DepthKind::metric;
    options.range = percepts::DepthRange{.near = 0.2, .far = 10};
    options.sentinels_named = true;
    options.grid = {.rows = 8, .cols = 8};
    return options;
  }

  int device_;
  percepts::Extent extent_;
  percepts::cuda::DepthPlan plan_;
};

}  // namespace

int main() {
  const std::string why = percepts::cuda::why_unavailable();
  if (!why.empty()) {
    std::cout << "no map on a GPU can be read here: " << why << '\n';
    return 0;
  }
  try {
    RoomReader reader(0, {.height = 480, .width = 640});
    for (const percepts::cuda::Device& device : percepts::cuda::devices()) {
      std::cout << "ready to read maps on " << device.name << '\n';
    }
  } catch (const percepts::DeviceError& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

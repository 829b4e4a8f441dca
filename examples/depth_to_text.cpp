// A depth camera's frame, millimetres with 0 for holes, becomes text.
//
// usage: depth_to_text

#include <cstdint>
#include <exception>
#include <iostream>
#include <span>
#include <vector>

#include "percepts/percepts.hpp"

namespace {

constexpr percepts::Extent extent{.height = 48, .width = 64};

/// A wall at 3 m, a box at 1.2 m before its right half, and a column without data.
std::vector<std::uint16_t> frame() {
  std::vector<std::uint16_t> millimetres;
  for (std::int64_t y = 0; y < extent.height; ++y) {
    for (std::int64_t x = 0; x < extent.width; ++x) {
      const bool is_box = x >= 32 && y >= 24;
      millimetres.push_back(x == 10 ? 0 : is_box ? 1200 : 3000);
    }
  }
  return millimetres;
}

}  // namespace

int main() {
  const std::vector<std::uint16_t> millimetres = frame();
  constexpr std::uint16_t hole = 0;

  percepts::Field field = percepts::dense_field(millimetres.data(), extent);
  field.sentinels = std::as_bytes(std::span(&hole, 1));

  percepts::DepthOptions options;
  options.kind = percepts::DepthKind::metric;
  options.scale = 1000;
  options.sentinels_named = true;
  options.normalize = false;  // readings stay in metres
  options.grid = {.rows = 2, .cols = 2};

  try {
    std::cout << to_text(percepts::depth(field, options)) << '\n';
  } catch (const percepts::InvalidArgument& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

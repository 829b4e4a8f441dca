#include "check.hpp"
#include "percepts/grid.hpp"

using percepts::cell_center;
using percepts::cell_edge;

int main() {
  static_assert(cell_edge(0, 7, 3) == 0 && cell_edge(1, 7, 3) == 2 && cell_edge(2, 7, 3) == 4);
  static_assert(cell_edge(3, 7, 3) == 7);
  static_assert(cell_center(0, 640, 10) == 48 && cell_center(9, 640, 10) == 948);
  static_assert(cell_center(0, 480, 10) == 47);

  // The same as floor(index·extent/count), for every small case and where that product would overflow.
  for (std::int64_t extent = 1; extent < 60; ++extent) {
    for (std::int64_t count = 1; count <= extent; ++count) {
      for (std::int64_t index = 0; index <= count; ++index) {
        check::that(cell_edge(index, extent, count) == index * extent / count);
      }
    }
  }
  constexpr std::int64_t huge = std::int64_t{1} << 61;
  static_assert(cell_edge(3, huge, 8) == 3 * (huge / 8));

  percepts::check_grid({3, 7}, {3, 7});
  check::refused([] { percepts::check_grid({0, 1}, {3, 7}); }, "grid must be at least 1x1");
  check::refused([] { percepts::check_grid({4, 7}, {3, 7}); },
                 "needs at least as many pixels, got a map of 3x7");
  check::refused([] { percepts::check_grid({1 << 16, 1 << 16}, {huge, huge}); }, "at most 2147483647 cells");
  check::refused([] { percepts::check_grid({2, 2}, {1 << 17, 1 << 17}); }, "at most 2147483647 pixels");
}

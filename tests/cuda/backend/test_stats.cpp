// Statistics and signs of a device against the CPU's: all types, shapes, layouts, masks, sentinels.

#include <algorithm>
#include <limits>

#include "device_stats.hpp"
#include "percepts/flow.hpp"

using namespace backend;

namespace {

struct Case {
  Extent extent;
  Grid grid;
  std::int64_t count = 1;
  Layout layout = {};
};

/// The last valid pixel's bytes and some that no pixel has.
std::vector<std::byte> some_sentinels(DeviceMaps& maps, DType dtype, const Case& some) {
  std::vector<std::byte> packed(maps.pixel(0, some.extent.height - 1, 0),
                                maps.pixel(0, some.extent.height - 1, 0) + size_of(dtype));
  const std::byte* const other = maps.pixel(some.count - 1, 0, some.extent.width - 1);
  packed.insert(packed.end(), other, other + size_of(dtype));
  return packed;
}

void check_stats(DType dtype, const Case& some, bool careful, std::mt19937& random) {
  DeviceMaps maps(dtype, some.extent, some.count, some.layout);
  fill_random(maps, dtype, some.extent, some.count, random, random() % 2 == 0);
  if (careful) {
    maps.mask(random, random() % 2 == 0, static_cast<std::int64_t>(random() % 2));
    maps.sentinels(some_sentinels(maps, dtype, some));
  }
  const cuda::Maps on_device = maps.maps();
  const std::int64_t cells = some.count * some.grid.cells();
  const StatsMemory memory(dtype, cells);
  cuda::grid_stats(on_device, some.grid, memory.get(), nullptr);
  like_the_cpu(on_host(memory.get(), static_cast<std::size_t>(cells)), maps, dtype, some.grid, some.count);

  auto* const signs = emulated::device_memory<std::int8_t>(static_cast<std::size_t>(cells));
  cuda::flow_sign(on_device, some.grid, signs, nullptr);
  const auto actual = emulated::host_copy(signs, static_cast<std::size_t>(cells));
  std::vector<std::int8_t> expected;
  for (std::int64_t map = 0; map < some.count; ++map) {
    const auto of_map = flow_sign(maps.field(map), some.grid);
    expected.insert(expected.end(), of_map.begin(), of_map.end());
  }
  check::that(actual == expected);
  emulated::must(cudaFree(signs));
}

void all_types_and_layouts() {
  std::mt19937 random(1);
  const Case cases[] = {
      {{1, 1}, {1, 1}},
      {{7, 13}, {7, 13}},
      {{31, 37}, {10, 10}, 2},
      {{64, 64}, {3, 5}, 3, {.padding = 16}},
      {{33, 61}, {2, 7}, 1, {.offset = 1}},
      {{20, 40}, {4, 4}, 2, {.offset = 4, .padding = 8}},
      {{17, 29}, {5, 2}, 1, {.step = 2}},
      {{29, 17}, {2, 3}, 2, {.transposed = true}},
      {{23, 19}, {3, 3}, 1, {.flipped = true}},
      {{12, 24}, {2, 2}, 1, {.repeated = true}},
      {{1, 50}, {1, 3}},
      {{50, 1}, {4, 1}},
      {{2, 70}, {1, 70}},
  };
  for (const DType dtype : all_dtypes) {
    for (const Case& some : cases) {
      check_stats(dtype, some, false, random);
      check_stats(dtype, some, true, random);
    }
  }
}

/// Rows of several tiles, with edges of tiles within and between cells; many chunks; a column of cells.
void large_shapes() {
  std::mt19937 random(2);
  const Case cases[] = {
      {{3, 5003}, {1, 1}}, {{3, 4099}, {2, 10}},    {{2, 4096}, {1, 4096}},   {{1009, 9}, {1, 1}},
      {{700, 40}, {2, 3}}, {{40, 1500}, {40, 700}}, {{130, 130}, {130, 130}}, {{257, 3}, {100, 3}},
  };
  for (const DType dtype : {DType::uint8, DType::float16, DType::float32, DType::float64}) {
    for (const Case& some : cases) check_stats(dtype, some, random() % 2 == 0, random);
  }
}

void sums_that_overflow() {
  const Extent extent{20, 20};
  DeviceMaps wide(DType::float64, extent, 1);
  wide.fill<double>([](auto, auto y, auto x) { return (x + y) % 3 == 0 ? 1.7e308 : 1.6e308; });
  DeviceMaps narrow(DType::float32, extent, 1);
  narrow.fill<float>([](auto, auto y, auto x) {
    return (x + y) % 3 == 0 ? 3.4e38 : -3.3e38 + static_cast<double>(x) * 1e37;
  });
  DeviceMaps whole(DType::int32, extent, 1);
  whole.fill<std::int32_t>([](auto, auto, auto x) { return std::numeric_limits<std::int32_t>::max() - x; });
  const auto compare = [&](DeviceMaps& maps, DType dtype) {
    const Grid grid{2, 2};
    const StatsMemory memory(dtype, 4);
    cuda::grid_stats(maps.maps(), grid, memory.get(), nullptr);
    const GridStats stats = on_host(memory.get(), 4);
    like_the_cpu(stats, maps, dtype, grid, 1);
    if (dtype != DType::float64) return;
    const GridStats expected = grid_stats(maps.field(0), grid);
    check::that(stats.mean == expected.mean);
  };
  compare(wide, DType::float64);
  compare(narrow, DType::float32);
  compare(whole, DType::int32);
}

/// Cells whose means are 0 but for rounding: signs are those of the defined sum.
void signs_next_to_zero() {
  std::mt19937 random(3);
  const Extent extent{60, 45};
  const Grid grid{6, 5};
  const auto compare = [&](DeviceMaps& maps) {
    auto* const signs = emulated::device_memory<std::int8_t>(30);
    cuda::flow_sign(maps.maps(), grid, signs, nullptr);
    check::that(emulated::host_copy(signs, 30) == flow_sign(maps.field(0), grid));
    emulated::must(cudaFree(signs));
  };
  for (int trial = 0; trial < 20; ++trial) {
    // Each value and its negative in one cell, in any order, and a grain of dust.
    std::vector<double> values(90);
    DeviceMaps real(DType::float64, extent, 1);
    DeviceMaps single(DType::float32, extent, 1);
    DeviceMaps whole(DType::int64, extent, 1);
    for (std::int64_t row = 0; row < 6; ++row) {
      for (std::int64_t col = 0; col < 5; ++col) {
        for (std::size_t k = 0; k < 45; ++k) {
          values[k] = std::uniform_real_distribution(-1.0, 1.0)(random);
          values[k + 45] = -values[k];
        }
        std::shuffle(values.begin(), values.end(), random);
        if (trial % 2 == 0) values[0] += 1e-17 * static_cast<double>(random() % 7) - 3e-17;
        for (std::int64_t k = 0; k < 90; ++k) {
          const std::int64_t y = 10 * row + k / 9;
          const std::int64_t x = 9 * col + k % 9;
          const double value = values[static_cast<std::size_t>(k)];
          real.set(0, y, x, value);
          single.set(0, y, x, static_cast<float>(value));
          whole.set(0, y, x, static_cast<std::int64_t>(value * 0x1p62));
        }
      }
    }
    compare(real);
    compare(single);
    compare(whole);
  }
}

void more_sentinels_than_are_kept() {
  DeviceMaps maps(DType::uint8, {4, 4}, 1);
  maps.fill<std::uint8_t>([](auto, auto y, auto x) { return 4 * y + x; });
  std::vector<std::byte> packed;
  for (int value = 0; value < 128; ++value)
    packed.push_back(static_cast<std::byte>(value == 127 ? 3 : 255 - value));
  maps.sentinels(packed);
  const StatsMemory memory(DType::uint8, 1);
  cuda::grid_stats(maps.maps(), {1, 1}, memory.get(), nullptr);
  like_the_cpu(on_host(memory.get(), 1), maps, DType::uint8, {1, 1}, 1);
  packed.push_back(std::byte{0});
  maps.sentinels(packed);
  check::refused([&] { cuda::grid_stats(maps.maps(), {1, 1}, memory.get(), nullptr); },
                 "maps on a device may have at most 128 sentinels, got 129");
}

}  // namespace

int main() {
  all_types_and_layouts();
  large_shapes();
  sums_that_overflow();
  signs_next_to_zero();
  more_sentinels_than_are_kept();
}

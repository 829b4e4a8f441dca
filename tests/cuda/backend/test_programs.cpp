// Programs of maps on a device are those of the same maps on the host, to the byte.

#include <algorithm>
#include <cmath>
#include <functional>

#include "device_maps.hpp"
#include "percepts/percepts.hpp"

using namespace backend;

namespace {

using Where = std::source_location;

/// What `call` throws, or nothing.
std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

void near(const std::vector<double>& actual, const std::vector<double>& expected, double relative,
          Where where) {
  check::that(actual.size() == expected.size(), where);
  for (std::size_t k = 0; k < actual.size(); ++k) {
    if (std::isnan(expected[k])
            ? std::isnan(actual[k])
            : std::abs(actual[k] - expected[k]) <= relative * (1 + std::abs(expected[k]))) {
      continue;
    }
    check::fail("expected a mean of " + std::to_string(expected[k]) + ", got " + std::to_string(actual[k]),
                where);
  }
}

void like_the_cpu(DeviceMaps& maps, std::int64_t count, const DepthOptions& options,
                  Where where = Where::current()) {
  std::vector<Program> expected;
  const std::string refusal = refusal_of([&] {
    for (std::int64_t map = 0; map < count; ++map) expected.push_back(depth(maps.field(map), options));
  });
  std::vector<Program> actual;
  check::text(refusal_of([&] { actual = cuda::depth(maps.maps(), options, nullptr); }), refusal, where);
  if (!refusal.empty()) return;
  check::that(std::ssize(actual) == count, where);
  for (std::size_t map = 0; map < actual.size(); ++map) {
    check::text(to_text(actual[map]), to_text(expected[map]), where);
    check::that(array_of<double>(actual[map], "valid") == array_of<double>(expected[map], "valid"), where);
    near(array_of<double>(actual[map], "mean"), array_of<double>(expected[map], "mean"), 1e-4, where);
  }
}

void like_the_cpu(DeviceMaps& maps, std::int64_t count, const FlowOptions& options,
                  Where where = Where::current()) {
  const std::vector<Program> actual = cuda::flow(maps.maps(), options, nullptr);
  check::that(std::ssize(actual) == count, where);
  for (std::int64_t map = 0; map < count; ++map) {
    const Program expected = flow(maps.field(map), options);
    const Program& program = actual[static_cast<std::size_t>(map)];
    check::text(to_text(program), to_text(expected), where);
    check::that(array_of<double>(program, "valid") == array_of<double>(expected, "valid"), where);
  }
}

std::vector<DepthOptions> options_of_depth(const Grid& grid) {
  std::vector<DepthOptions> all;
  const auto add = [&](auto change) {
    DepthOptions options;
    options.grid = grid;
    options.kind = DepthKind::metric;
    options.sentinels_named = true;
    change(options);
    all.push_back(options);
  };
  add([](DepthOptions& options) { options.kind = DepthKind::relative; });
  add([](DepthOptions& options) { options.kind = DepthKind::disparity; });
  add([](DepthOptions&) {});
  add([](DepthOptions& options) { options.sentinels_named = false; });
  add([](DepthOptions& options) {
    options.normalize = false;
    options.scale = 3;
    options.tau = 0.01;
  });
  add([](DepthOptions& options) {
    options.range = DepthRange{.near = -0.5, .far = 2};
    options.tau = 0;
  });
  add([](DepthOptions& options) {
    options.kind = DepthKind::disparity;
    options.range = DepthRange{.near = 1.5, .far = -1};
    options.max_relations = 3;
  });
  add([](DepthOptions& options) { options.relations = false; });
  return all;
}

void all_options_and_types() {
  std::mt19937 random(11);
  const Extent extent{23, 37};
  for (const DType dtype : all_dtypes) {
    for (const Grid grid : {Grid{1, 1}, Grid{4, 5}, Grid{6, 1}, Grid{1, 9}}) {
      for (const DepthOptions& options : options_of_depth(grid)) {
        const std::int64_t count = 1 + static_cast<std::int64_t>(random() % 3);
        DeviceMaps maps(dtype, extent, count, {.padding = static_cast<std::int64_t>(random() % 3)});
        fill_random(maps, dtype, extent, count, random, random() % 2 == 0);
        if (random() % 3 == 0) maps.mask(random, random() % 2 == 0, 0);
        like_the_cpu(maps, count, options);
      }
      for (const FlowAxis axis : {FlowAxis::horizontal, FlowAxis::vertical}) {
        DeviceMaps maps(dtype, extent, 2, {.step = 2});
        fill_random(maps, dtype, extent, 2, random, random() % 2 == 0);
        like_the_cpu(
            maps, 2,
            {.grid = grid, .axis = axis, .motion = FlowMotion::camera, .labelled = false, .note = {}});
      }
    }
  }
}

/// Relative maps of each type, without and with bad values.
void relative_maps() {
  std::mt19937 random(12);
  const Extent extent{40, 40};
  DeviceMaps real(DType::float32, extent, 2);
  real.fill<float>([&](auto, auto, auto) { return std::uniform_real_distribution(0.0F, 1.0F)(random); });
  DepthOptions options;
  like_the_cpu(real, 2, options);
  real.set(1, 7, 7, 1.25F);
  like_the_cpu(real, 2, options);
  DeviceMaps bytes(DType::uint8, extent, 3);
  fill_random(bytes, DType::uint8, extent, 3, random, false);
  options.tau = 0.001;
  like_the_cpu(bytes, 3, options);
  options.grid = {41, 1};
  like_the_cpu(bytes, 3, options);
  options.grid = {0, 1};
  like_the_cpu(bytes, 3, options);
  options = {};
  options.tau = -1;
  like_the_cpu(bytes, 3, options);
}

/// A map without data, and one with some cells without.
void holes() {
  DeviceMaps maps(DType::float32, {20, 20}, 2);
  maps.fill<float>([](auto map, auto y, auto x) { return map == 0 || (x < 9 && y < 13) ? NAN : 0.25F; });
  for (const DepthOptions& options : options_of_depth({5, 5})) like_the_cpu(maps, 2, options);
  like_the_cpu(maps, 2, FlowOptions{.grid = {5, 5}, .note = {}});
}

/// Neighbours whose means differ by tau but for rounding, in values of any order: relations are those of the
/// defined sums.
template <class T>
void differences_next_to_tau(DType dtype, double tau, std::uint32_t seed, const DepthOptions& given) {
  std::mt19937 random(seed);
  const Extent extent{48, 40};
  DepthOptions options = given;
  options.grid = {4, 5};
  options.tau = tau;
  for (int trial = 0; trial < 12; ++trial) {
    DeviceMaps maps(dtype, extent, 1);
    for (std::int64_t row = 0; row < 4; ++row) {
      for (std::int64_t col = 0; col < 5; ++col) {
        // Pairs around a mean that differs from all neighbours' by tau, or nearly.
        const double mean = 0.5 + tau * static_cast<double>((row + col) % 2);
        std::vector<double> values;
        for (int k = 0; k < 48; ++k) {
          const double off = std::uniform_real_distribution(0.0, 0.2)(random);
          values.push_back(mean + off);
          values.push_back(mean - off);
        }
        std::shuffle(values.begin(), values.end(), random);
        if (trial % 3 == 0) values[5] = std::nextafter(values[5], static_cast<double>(random() % 2));
        for (std::int64_t k = 0; k < 96; ++k) {
          const double value = values[static_cast<std::size_t>(k)];
          T* const pixel = reinterpret_cast<T*>(maps.pixel(0, 12 * row + k / 8, 8 * col + k % 8));
          if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
            *pixel = static_cast<T>(value * 0x1p60);
          } else if constexpr (sizeof(T) == 2) {
            *pixel = static_cast<T>(0x3800 + static_cast<int>((value - 0.5) * 2048));  // float16 in [0.5, 1)
          } else {
            *pixel = static_cast<T>(value);
          }
        }
      }
    }
    like_the_cpu(maps, 1, options);
  }
}

void ties() {
  DepthOptions relative;
  DepthOptions metres;
  metres.kind = DepthKind::metric;
  metres.normalize = false;
  DepthOptions clipped;
  clipped.kind = DepthKind::metric;
  clipped.range = DepthRange{.near = 0, .far = 1};
  DepthOptions cut = clipped;
  cut.range = DepthRange{.near = 0.45, .far = 0.7};
  for (const double tau : {0.0, 0.15, 0.125}) {
    differences_next_to_tau<float>(DType::float32, tau, 21, relative);
    differences_next_to_tau<double>(DType::float64, tau, 22, relative);
    differences_next_to_tau<float>(DType::float32, tau, 23, metres);
    differences_next_to_tau<double>(DType::float64, tau, 24, clipped);
    differences_next_to_tau<float>(DType::float32, tau / 0.25, 25, cut);
    differences_next_to_tau<std::uint16_t>(DType::float16, tau, 26, metres);
    DepthOptions scaled = metres;
    scaled.scale = 0x1p60;
    differences_next_to_tau<std::int64_t>(DType::int64, tau, 27, scaled);
    differences_next_to_tau<std::uint64_t>(DType::uint64, tau, 28, scaled);
  }
}

/// Values so large that sums, spans and readings overflow.
void huge_values() {
  DeviceMaps maps(DType::float64, {30, 30}, 1);
  maps.fill<double>([](auto, auto y, auto x) {
    return (x * 7 + y) % 5 == 0 ? 1.7e308 : -1.6e308 + static_cast<double>(y) * 1e306;
  });
  for (DepthOptions options : options_of_depth({3, 3})) {
    like_the_cpu(maps, 1, options);
    options.range.reset();
    options.kind = DepthKind::disparity;
    options.normalize = true;
    options.scale = 1;
    like_the_cpu(maps, 1, options);
    options.scale = 1e-3;
    like_the_cpu(maps, 1, options);
  }
  like_the_cpu(maps, 1, FlowOptions{.grid = {3, 3}, .note = {}});
}

}  // namespace

int main() {
  all_options_and_types();
  relative_maps();
  holes();
  ties();
  huge_values();
}

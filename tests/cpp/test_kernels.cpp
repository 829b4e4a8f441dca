#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "check.hpp"
#include "percepts/kernels.hpp"
#include "percepts/plan.hpp"
#include "percepts/similarity.hpp"

using percepts::DType;
using percepts::Field;
using percepts::Grid;

namespace {

template <class T>
Field field_of(const std::vector<T>& values, DType dtype, std::int64_t height) {
  const auto width = static_cast<std::int64_t>(values.size()) / height;
  const auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  return {.data = reinterpret_cast<const std::byte*>(values.data()),
          .dtype = dtype,
          .extent = {height, width},
          .stride_y = size * width,
          .stride_x = size,
          .mask = {},
          .sentinels = {}};
}

template <class T>
void test_dense_field_of(DType dtype) {
  const std::array<T, 2> values{T{0}, static_cast<T>(1)};
  const Field field = percepts::dense_field(values.data(), {1, 2});
  check::that(field.dtype == dtype);
  check::that(percepts::size_of(dtype) == sizeof(T));
  check::that(percepts::grid_stats(field, Grid{1, 2}).mean == std::vector<double>{0, 1});
}

void test_every_number_of_cpp_has_its_dtype() {
  test_dense_field_of<bool>(DType::boolean);
  test_dense_field_of<std::int8_t>(DType::int8);
  test_dense_field_of<unsigned char>(DType::uint8);
  test_dense_field_of<short>(DType::int16);
  test_dense_field_of<std::uint16_t>(DType::uint16);
  test_dense_field_of<int>(DType::int32);
  test_dense_field_of<std::uint32_t>(DType::uint32);
  test_dense_field_of<long long>(DType::int64);
  test_dense_field_of<std::uint64_t>(DType::uint64);
  test_dense_field_of<float>(DType::float32);
  test_dense_field_of<double>(DType::float64);
}

/// The upper half of a float32, which is a bfloat16.
std::uint16_t bfloat16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

void test_bfloat16() {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::uint16_t> values{bfloat16(0.5F), bfloat16(-2), bfloat16(infinity), bfloat16(3)};
  const auto stats = percepts::grid_stats(field_of(values, DType::bfloat16, 1), Grid{1, 1});
  check::that(stats.min[0] == -2 && stats.max[0] == 3 && stats.mean[0] == 0.5 && stats.count[0] == 3);
}

void test_every_half_is_its_value() {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const std::vector<std::uint16_t> values{static_cast<std::uint16_t>(bits)};
    const auto stats = percepts::grid_stats(field_of(values, DType::float16, 1), Grid{1, 1});
    const int exponent = static_cast<int>((bits >> 10) & 0x1F);
    const double fraction = (bits & 0x3FF) / 1024.0;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
    check::that(stats.count[0] == (exponent == 0x1F ? 0 : 1));
    if (exponent != 0x1F) check::that(stats.mean[0] == ((bits & 0x8000) != 0 ? -magnitude : magnitude));
  }
}

void test_strides_mask_and_sentinels() {
  // Read backwards, with every second element: 5 3 1.
  const std::vector<std::int32_t> values{0, 1, 2, 3, 4, 5};
  Field field = field_of(values, DType::int32, 1);
  field.extent = {1, 3};
  field.data += 5 * sizeof(std::int32_t);
  field.stride_x = -2 * static_cast<std::ptrdiff_t>(sizeof(std::int32_t));
  const std::array<std::byte, 3> use{std::byte{1}, std::byte{1}, std::byte{0}};
  field.mask = {.data = use.data(), .stride_y = 3, .stride_x = 1};
  const std::array<std::int32_t, 2> sentinels{3, 77};
  field.sentinels = std::as_bytes(std::span(sentinels));
  const auto stats = percepts::grid_stats(field, Grid{1, 3});
  check::that(stats.count == std::vector<std::int32_t>{1, 0, 0});
  check::that(stats.mean[0] == 5 && std::isnan(stats.mean[1]) && std::isnan(stats.min[2]));
}

void test_sentinels_are_whole_elements() {
  const std::vector<float> values{1, 2, 3, 4};
  Field field = percepts::dense_field(values.data(), {2, 2});
  const std::array<std::uint16_t, 1> hole{1};
  field.sentinels = std::as_bytes(std::span(hole));
  const char* problem = "sentinels must be whole elements of float32, 4 bytes each, got 2 bytes";
  check::refused([&] { percepts::grid_stats(field, Grid{1, 1}); }, problem);
  check::refused([&] { percepts::cell_median(field, Grid{1, 1}); }, problem);
  check::refused([&] { percepts::flow_sign(field, Grid{1, 1}); }, problem);
  check::refused([&] { percepts::StatsPlan(DType::float32, {2, 2}, Grid{1, 1})(field); }, problem);
  const std::array<percepts::NamedMap, 1> maps{percepts::NamedMap{"A", field}};
  check::refused([&] { percepts::similarity(maps); }, problem);
  const std::array<std::uint16_t, 3> holes{1, 2, 3};
  field.sentinels = std::as_bytes(std::span(holes));
  check::refused([&] { percepts::grid_stats(field, Grid{1, 1}); }, "got 6 bytes");
}

void test_signs_and_relations() {
  const std::vector<double> values{-1, -0.5, 0, std::nan(""), 2, 1};
  const Field field = field_of(values, DType::float64, 2);
  check::that(percepts::flow_sign(field, Grid{2, 3}) == std::vector<std::int8_t>{-1, -1, 1, 0, 1, 1});
  const std::vector<std::int8_t> expected{-1, 0, -1, -1, 0, -1, 0, 0, 1, 0, 0, 0};
  check::that(percepts::neighbor_relations(values, Grid{2, 3}, 0.25) == expected);
  check::refused([&] { percepts::neighbor_relations(values, Grid{2, 3}, -1); }, "tau must be finite");
  check::refused([&] { percepts::neighbor_relations(values, Grid{3, 3}, 0.25); },
                 "mean must have a value for each of the 9 cells, got 6");
  check::refused([&] { percepts::neighbor_relations(values, Grid{1, 5}, 0.25); }, "5 cells, got 6");
  for (const Grid grid : {Grid{0, 2}, Grid{-2, -3}, Grid{6, 0}}) {
    check::refused([&] { percepts::neighbor_relations(values, grid, 0.25); }, "grid must be at least 1x1");
  }
}

/// Threads share nothing but what they read.
void test_threads() {
  const std::vector<float> values(64 * 64, 0.25F);
  const Field field = percepts::dense_field(values.data(), {64, 64});
  std::vector<std::thread> threads;
  std::array<double, 4> means{};
  for (double& mean : means) {
    threads.emplace_back([&field, &mean] { mean = percepts::grid_stats(field, Grid{}).mean[7]; });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double mean : means) check::that(mean == 0.25);
}

}  // namespace

int main() {
  test_every_number_of_cpp_has_its_dtype();
  test_bfloat16();
  test_every_half_is_its_value();
  test_strides_mask_and_sentinels();
  test_sentinels_are_whole_elements();
  test_signs_and_relations();
  test_threads();
}

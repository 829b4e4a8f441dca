// Statistics of cells against reading the same bytes: both in one process, in turn. Prints a table in
// Markdown.

#include "percepts/kernels.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "percepts/flow.hpp"
#include "percepts/instruction_sets.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// A plain, well-made sum of 64-bit words: what reading these bytes costs at least.
std::uint64_t read(const std::byte* data, std::size_t bytes) {
  constexpr std::size_t lanes = 64;
  std::uint64_t sums[lanes] = {};
  std::size_t at = 0;
  for (; at + sizeof sums <= bytes; at += sizeof sums) {
    std::uint64_t words[lanes];
    std::memcpy(words, data + at, sizeof words);
    for (std::size_t k = 0; k < lanes; ++k) sums[k] += words[k];
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t part : sums) sum += part;
  return sum;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] std::uint64_t read_avx512(const std::byte* data, std::size_t bytes) {
  typedef std::uint64_t Words __attribute__((vector_size(64)));
  Words sums[8] = {};
  for (std::size_t at = 0; at + sizeof sums <= bytes; at += sizeof sums) {
    for (std::size_t k = 0; k < 8; ++k) {
      Words words;
      std::memcpy(&words, data + at + k * sizeof words, sizeof words);
      sums[k] += words;
    }
  }
  std::uint64_t sum = 0;
  for (const Words& part : sums) {
    for (int lane = 0; lane < 8; ++lane) sum += part[lane];
  }
  return sum;
}

[[gnu::target("avx2")]] std::uint64_t read_avx2(const std::byte* data, std::size_t bytes) {
  typedef std::uint64_t Words __attribute__((vector_size(32)));
  Words sums[8] = {};
  for (std::size_t at = 0; at + sizeof sums <= bytes; at += sizeof sums) {
    for (std::size_t k = 0; k < 8; ++k) {
      Words words;
      std::memcpy(&words, data + at + k * sizeof words, sizeof words);
      sums[k] += words;
    }
  }
  std::uint64_t sum = 0;
  for (const Words& part : sums) {
    for (int lane = 0; lane < 4; ++lane) sum += part[lane];
  }
  return sum;
}
#endif

std::uint64_t best_read(const std::byte* data, std::size_t bytes) {
#if defined(__x86_64__)
  if (percepts::instruction_set() == "avx512") return read_avx512(data, bytes);
  if (percepts::instruction_set() == "avx2") return read_avx2(data, bytes);
#endif
  return read(data, bytes);
}

double microseconds(const std::function<void()>& call) {
  const auto start = Clock::now();
  call();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

volatile std::uint64_t sink;

void row(const std::string& what, const std::byte* data, std::size_t bytes, int rounds,
         const std::function<void()>& call) {
  std::vector<double> ours;
  std::vector<double> reading;
  for (int round = 0; round < rounds; ++round) {
    reading.push_back(microseconds([&] { sink = best_read(data, bytes); }));
    ours.push_back(microseconds(call));
  }
  const double a = median(ours);
  const double b = median(reading);
  const double gigabytes = static_cast<double>(bytes) / 1e3;
  std::printf("| %-44s | %8.1f | %8.1f | %6.1f | %6.1f | %.2f |\n", what.c_str(), a, b, gigabytes / a,
              gigabytes / b, b / a);
}

percepts::Field field_of(const std::byte* data, percepts::DType dtype, std::int64_t height,
                         std::int64_t width, std::int64_t step = 1) {
  const auto element = static_cast<std::ptrdiff_t>(percepts::size_of(dtype));
  return {.data = data,
          .dtype = dtype,
          .extent = {height, width},
          .stride_y = element * width * step,
          .stride_x = element * step,
          .mask = {},
          .sentinels = {}};
}

/// Bytes that are finite numbers in [0, 2) for every type that is measured here.
std::unique_ptr<std::byte[], void (*)(void*)> finite_bytes(std::size_t bytes) {
  auto* data = static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
  std::uint32_t state = 1;
  for (std::size_t at = 0; at < bytes; ++at) {
    state = state * 1664525 + 1013904223;
    data[at] = static_cast<std::byte>((state >> 24) & 0x3F);
  }
  return {data, [](void* memory) { std::free(memory); }};
}

}  // namespace

int main() {
  using percepts::DType;
  std::printf("Instruction set: %s. Medians; `read` is a plain sum of the same bytes.\n\n",
              percepts::instruction_set().c_str());
  std::printf(
      "| statistics of 10x10 cells | µs | read µs | GB/s | read GB/s | share of read "
      "|\n|---|---|---|---|---|---|\n");
  struct Size {
    std::int64_t height, width;
    int rounds;
  };
  for (const Size& size : {Size{480, 640, 501}, {518, 518, 501}, {1080, 1920, 201}}) {
    for (const DType dtype : {DType::float32, DType::uint16, DType::uint8, DType::float16, DType::float64}) {
      const std::size_t bytes = static_cast<std::size_t>(size.height * size.width) * percepts::size_of(dtype);
      const auto data = finite_bytes(bytes);
      const percepts::Field field = field_of(data.get(), dtype, size.height, size.width);
      row(std::to_string(size.height) + "x" + std::to_string(size.width) + " " + std::string(name_of(dtype)),
          data.get(), bytes, size.rounds,
          [&] { sink = static_cast<std::uint64_t>(percepts::grid_stats(field, {}).count[0]); });
    }
  }
  // A sensor's map: 0 for holes.
  for (const DType dtype : {DType::float32, DType::uint16}) {
    constexpr std::int64_t height = 480;
    constexpr std::int64_t width = 640;
    const std::size_t bytes = static_cast<std::size_t>(height * width) * percepts::size_of(dtype);
    const auto data = finite_bytes(bytes);
    std::memset(data.get(), 0, bytes / 10);
    const std::array<std::byte, 4> zero{};
    percepts::Field field = field_of(data.get(), dtype, height, width);
    field.sentinels = std::span(zero).first(percepts::size_of(dtype));
    row("480x640 " + std::string(name_of(dtype)) + ", a tenth of it holes", data.get(), bytes, 501,
        [&] { sink = static_cast<std::uint64_t>(percepts::grid_stats(field, {}).count[0]); });
  }
  constexpr std::int64_t maps = 64;
  const std::size_t bytes = maps * 518 * 518 * sizeof(float);
  const auto batch = finite_bytes(bytes);
  row("64 maps of 518x518 float32, one after another", batch.get(), bytes, 15, [&] {
    for (std::int64_t map = 0; map < maps; ++map) {
      const auto* data = batch.get() + map * 518 * 518 * static_cast<std::int64_t>(sizeof(float));
      sink = static_cast<std::uint64_t>(
          percepts::grid_stats(field_of(data, DType::float32, 518, 518), {}).count[0]);
    }
  });
  const std::size_t flow_bytes = 480 * 640 * 2 * sizeof(float);
  const auto flow = finite_bytes(flow_bytes);
  row("flow signs 480x640x2 interleaved", flow.get(), flow_bytes, 501, [&] {
    sink = static_cast<std::uint64_t>(
        percepts::flow_sign(field_of(flow.get(), DType::float32, 480, 640, 2), {})[0]);
  });
  row("flow signs 2x480x640 planar", flow.get(), flow_bytes / 2, 501, [&] {
    sink = static_cast<std::uint64_t>(
        percepts::flow_sign(field_of(flow.get(), DType::float32, 480, 640), {})[0]);
  });
}

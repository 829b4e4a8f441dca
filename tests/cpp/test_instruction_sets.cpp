#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "percepts/instruction_sets.hpp"
#include "percepts/kernels.hpp"

// Every instruction set gives the same bits: what these sums of bits say on one, they say on all.

namespace {

/// A small generator that is the same everywhere.
class Numbers {
 public:
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state_ >> 33);
  }

  float unit() { return static_cast<float>(next() >> 7) * 0x1p-24F; }

 private:
  std::uint64_t state_ = 1;
};

std::uint64_t digest(std::uint64_t sum, const std::vector<double>& values) {
  for (const double value : values) {
    sum = (sum ^ (std::isnan(value) ? 1 : std::bit_cast<std::uint64_t>(value))) * 1099511628211ULL;
  }
  return sum;
}

std::uint64_t digest_of_stats(const percepts::Field& field, percepts::Grid grid) {
  const percepts::GridStats stats = percepts::grid_stats(field, grid);
  std::uint64_t sum = digest(digest(digest(14695981039346656037ULL, stats.min), stats.max), stats.mean);
  for (const std::int32_t count : stats.count)
    sum = (sum ^ static_cast<std::uint64_t>(count)) * 1099511628211ULL;
  return sum;
}

std::uint64_t digest_of_floats(bool with_holes) {
  std::uint64_t sum = 0;
  Numbers numbers;
  for (const std::array<std::int64_t, 2> extent :
       {std::array<std::int64_t, 2>{71, 97}, {480, 640}, {13, 5}, {3, 20000}}) {
    std::vector<float> values(static_cast<std::size_t>(extent[0] * extent[1]));
    for (float& value : values) {
      value = numbers.unit() * 3 - 1;
      if (with_holes && numbers.next() % 50 == 0) value = std::numeric_limits<float>::quiet_NaN();
    }
    sum = sum * 31 + digest_of_stats(percepts::dense_field(values.data(), {extent[0], extent[1]}), {3, 5});
  }
  return sum;
}

std::uint64_t digest_of_bits(percepts::DType dtype) {
  constexpr std::int64_t height = 130;
  constexpr std::int64_t width = 171;
  Numbers numbers;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(height * width * 2));
  for (std::uint32_t& word : words) word = numbers.next() * 2 + numbers.next() % 2;
  const auto element = static_cast<std::ptrdiff_t>(percepts::size_of(dtype));
  const percepts::Field field{.data = reinterpret_cast<const std::byte*>(words.data()),
                              .dtype = dtype,
                              .extent = {height, width},
                              .stride_y = element * width,
                              .stride_x = element,
                              .mask = {},
                              .sentinels = {}};
  return digest_of_stats(field, {4, 3});
}

}  // namespace

int main() {
  const auto sets = percepts::instruction_sets();
  check::that(!sets.empty() && !percepts::instruction_set().empty());
  std::vector<std::uint64_t> digests{digest_of_floats(false), digest_of_floats(true)};
  for (int dtype = 0; dtype < 13; ++dtype)
    digests.push_back(digest_of_bits(static_cast<percepts::DType>(dtype)));
  const std::vector<std::uint64_t> expected{
      10307994127958062717u, 1403853913136863223u, 2664843969494625362u, 14068301251164822484u,
      18221647301427969483u, 8219467652642376155u, 6198136588248664373u, 8563787171832136204u,
      17245284042228512624u, 7215695483164485611u, 642969904427066727u,  9502408271912366747u,
      3623305785904189361u,  244718359717170635u,  15800822362386472744u};
  if (digests != expected) {
    for (const std::uint64_t value : digests) std::cerr << value << "u, ";
    check::fail("other bits than on the other instruction sets, with " + percepts::instruction_set(),
                std::source_location::current());
  }
}

// Labels of most pixels and relations of neighbours, on a device and on the host.

#include <cmath>
#include <limits>

#include "device_maps.hpp"
#include "percepts/kernels.hpp"
#include "percepts/label_mode.hpp"

using namespace backend;

namespace {

using Where = std::source_location;

/// Memory of a device while this lives.
template <class T>
class Memory {
 public:
  explicit Memory(std::size_t count) : data_(emulated::device_memory<T>(count)), count_(count) {}
  explicit Memory(const std::vector<T>& values)
      : data_(emulated::device_copy(values)), count_(values.size()) {}
  ~Memory() { emulated::must(cudaFree(data_)); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  T* get() const { return data_; }
  std::vector<T> copy() const { return emulated::host_copy(data_, count_); }

 private:
  T* data_;
  std::size_t count_;
};

template <class T>
void like_the_cpu(DeviceMaps& maps, const Grid& grid, std::int64_t count, std::optional<std::int64_t> ignored,
                  Where where = Where::current()) {
  const DType dtype = maps.field(0).dtype;
  const auto cells = static_cast<std::size_t>(count * grid.cells());
  const Memory<T> label(cells);
  const Memory<double> share(cells);
  cuda::label_mode(maps.maps(), grid, ignored, label.get(), share.get(), nullptr);
  const std::vector<T> labels = label.copy();
  const std::vector<double> shares = share.copy();
  std::size_t at = 0;
  for (std::int64_t map = 0; map < count; ++map) {
    const LabelModes expected = label_mode(maps.field(map), grid, ignored);
    for (std::size_t cell = 0; cell < expected.label.size(); ++cell, ++at) {
      const bool empty = std::isnan(expected.share[cell]);
      // A label that the type cannot hold is not told.
      const T told = static_cast<T>(expected.label[cell]);
      const bool fits = std::cmp_equal(told, expected.label[cell]) && (dtype != DType::boolean || told <= 1);
      if (!empty || fits) {
        check::text(std::to_string(labels[at]), std::to_string(told), where);
      }
      check::that(empty ? std::isnan(shares[at]) : shares[at] == expected.share[cell], where);
    }
  }
}

/// Areas of labels that `pick` gives, with some single pixels among them.
template <class T, class Pick>
void fill_areas(DeviceMaps& maps, std::mt19937& random, Pick pick) {
  T areas[16];
  for (T& area : areas) area = pick();
  maps.fill<T>([&](auto map, auto y, auto x) {
    return random() % 8 == 0 ? pick() : areas[static_cast<std::size_t>((y / 9 + map) % 4 * 4 + x / 11 % 4)];
  });
}

template <class T>
void labels_of_type(DType dtype, std::mt19937& random) {
  const Extent extent{25, 41};
  const Grid grid{3, 4};
  const auto any = [&] { return static_cast<T>(std::uint64_t{random()} << 32 | random()); };
  const auto few = [&] { return static_cast<T>(random() % 5); };
  const auto instances = [&] { return static_cast<T>(26000 + random() % 40); };
  for (const Layout& layout :
       {Layout{}, Layout{.offset = 3, .padding = 1}, Layout{.step = 3}, Layout{.flipped = true}}) {
    DeviceMaps maps(dtype, extent, 2, layout);
    for (int kind = 0; kind < 4; ++kind) {
      if (kind == 0) fill_areas<T>(maps, random, few);
      if (kind == 1) fill_areas<T>(maps, random, any);
      if (kind == 2) fill_areas<T>(maps, random, instances);
      if (kind == 3) maps.fill<T>([&](auto, auto, auto) { return any(); });
      constexpr std::int64_t to_ignore[] = {0, 255, -1, 26003};
      like_the_cpu<T>(maps, grid, 2, std::nullopt);
      like_the_cpu<T>(maps, grid, 2, to_ignore[random() % 4]);
    }
    maps.mask(random, random() % 2 == 0, 1);
    like_the_cpu<T>(maps, grid, 2, std::nullopt);
    if (layout.offset != 0) like_the_cpu<T>(maps, {25, 5}, 2, 3);
  }
}

void all_label_types() {
  std::mt19937 random(31);
  labels_of_type<std::uint8_t>(DType::boolean, random);
  labels_of_type<std::int8_t>(DType::int8, random);
  labels_of_type<std::uint8_t>(DType::uint8, random);
  labels_of_type<std::int16_t>(DType::int16, random);
  labels_of_type<std::uint16_t>(DType::uint16, random);
  labels_of_type<std::int32_t>(DType::int32, random);
  labels_of_type<std::uint32_t>(DType::uint32, random);
  labels_of_type<std::int64_t>(DType::int64, random);
  labels_of_type<std::uint64_t>(DType::uint64, random);
}

/// More labels in one cell than its table holds, many times over; all but one of as many pixels.
void more_labels_than_places() {
  std::mt19937 random(32);
  DeviceMaps maps(DType::int64, {60, 110}, 1);
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{4096}, std::int64_t{1} << 40}) {
    maps.fill<std::int64_t>([&](auto, auto y, auto x) { return (y * 110 + x) * step - 500 * step; });
    like_the_cpu<std::int64_t>(maps, {1, 1}, 1, std::nullopt);
    maps.set<std::int64_t>(0, 50, 77, 59 * 110 * step);
    like_the_cpu<std::int64_t>(maps, {1, 1}, 1, std::nullopt);
    like_the_cpu<std::int64_t>(maps, {1, 1}, 1, 59 * 110 * step);
    like_the_cpu<std::int64_t>(maps, {2, 3}, 1, std::nullopt);
  }
}

void the_lowest_of_equals_wins() {
  DeviceMaps maps(DType::int32, {4, 8}, 1);
  maps.fill<std::int32_t>([](auto, auto y, auto) { return y % 2 == 0 ? 7 : -7000; });
  like_the_cpu<std::int32_t>(maps, {1, 2}, 1, std::nullopt);
  like_the_cpu<std::int32_t>(maps, {1, 2}, 1, -7000);
  like_the_cpu<std::int32_t>(maps, {4, 1}, 1, 7);
}

void reals_are_no_labels() {
  DeviceMaps maps(DType::float16, {4, 4}, 1);
  check::refused([&] { cuda::label_mode(maps.maps(), {1, 1}, std::nullopt, nullptr, nullptr, nullptr); },
                 "labels must be integers, got float16");
  check::refused([&] { cuda::label_mode(maps.maps(), {5, 1}, std::nullopt, nullptr, nullptr, nullptr); },
                 "every cell must hold a pixel");
}

void neighbors() {
  std::mt19937 random(33);
  for (const Grid grid : {Grid{1, 1}, Grid{1, 7}, Grid{6, 1}, Grid{10, 10}, Grid{120, 100}}) {
    const auto cells = static_cast<std::size_t>(grid.cells());
    std::vector<double> means(3 * cells);
    for (double& mean : means) mean = random() % 9 == 0 ? NAN : static_cast<double>(random() % 8) / 8;
    const Memory<double> on_device(means);
    const Memory<std::int8_t> out(6 * cells);
    for (const double tau : {0.0, 0.125, 0.3}) {
      cuda::neighbor_relations(0, on_device.get(), 3, grid, tau, out.get(), nullptr);
      std::vector<std::int8_t> expected;
      for (std::size_t map = 0; map < 3; ++map) {
        const auto of_map = neighbor_relations(std::span(means).subspan(map * cells, cells), grid, tau);
        expected.insert(expected.end(), of_map.begin(), of_map.end());
      }
      check::that(out.copy() == expected);
    }
  }
  check::refused([] { cuda::neighbor_relations(0, nullptr, 1, {2, 2}, NAN, nullptr, nullptr); },
                 "tau must be finite");
  check::refused([] { cuda::neighbor_relations(0, nullptr, 1, {0, 2}, 0, nullptr, nullptr); },
                 "grid must be at least");
}

}  // namespace

int main() {
  all_label_types();
  more_labels_than_places();
  the_lowest_of_equals_wins();
  reals_are_no_labels();
  neighbors();
}

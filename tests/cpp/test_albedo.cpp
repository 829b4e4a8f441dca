#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "percepts/albedo.hpp"
#include "percepts/batch.hpp"
#include "percepts/error.hpp"
#include "percepts/kernels.hpp"

namespace {

percepts::AlbedoOptions options_for(percepts::Grid grid) {
  percepts::AlbedoOptions options;
  options.grid = grid;
  options.note = percepts::NoNote{};
  return options;
}

void test_text() {
  const std::vector<std::uint8_t> grey{51, 51, 60, 204, 210, 204};
  const auto program = percepts::albedo(percepts::dense_field(grey.data(), {1, 6}), options_for({1, 3}));
  check::text(to_text(program), R"(<perceptionprogram>
modality: albedo
granularity: patch
grid:
  rows: 1
  cols: 3
items:
  - p: 1
    c: [0, 0]
    r: 0.2
  - p: 2
    c: [333, 0]
    r: 0.5176
  - p: 3
    c: [666, 0]
    r: 0.8118
relations:
  - [p=1, is darker than, p=2]
  - [p=2, is darker than, p=3]
</perceptionprogram>)");
}

void test_medians() {
  const std::vector<float> values{3, 1, 2, std::numeric_limits<float>::quiet_NaN(), 5, 4};
  percepts::Field field = percepts::dense_field(values.data(), {1, 6});
  auto medians = percepts::cell_median(field, {1, 2});
  check::that(medians.median == std::vector<double>{2, 4.5});
  check::that(medians.count == std::vector<std::int32_t>{3, 2});
  const std::vector<std::byte> nothing(6, std::byte{0});
  field.mask = {.data = nothing.data(), .stride_y = 6, .stride_x = 1};
  medians = percepts::cell_median(field, {1, 2});
  check::that(std::isnan(medians.median[0]) && medians.count[1] == 0);
}

void test_what_is_refused() {
  const std::vector<float> values{0.5F, 0.5F};
  const std::vector<percepts::Field> fields{percepts::dense_field(values.data(), {1, 2})};
  auto options = options_for({1, 2});
  options.tau = -1;
  check::refused([&] { percepts::albedo(fields[0], options); }, "tau must be finite and at least 0, got -1");
  check::refused([&] { percepts::albedo(fields, options_for({1, 3}), {2, {}}); }, "map 0 of the batch");
}

}  // namespace

int main() {
  test_text();
  test_medians();
  test_what_is_refused();
}

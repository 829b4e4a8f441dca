#include <cmath>
#include <vector>

#include "check.hpp"
#include "percepts/batch.hpp"
#include "percepts/error.hpp"
#include "percepts/segmentation.hpp"

namespace {

percepts::SegmentationOptions options_for(percepts::Grid grid) {
  percepts::SegmentationOptions options;
  options.grid = grid;
  options.note = percepts::NoNote{};
  return options;
}

void test_text() {
  const std::vector<std::uint8_t> labels{7, 7, 2, 255, 255, 255};
  auto options = options_for({1, 3});
  options.ignored = 255;
  percepts::Program program = percepts::segmentation(percepts::dense_field(labels.data(), {1, 6}), options);
  check::that(percepts::dominant_labels(program) == std::vector<std::int64_t>{2, 7});
  percepts::name_labels(program, {"no", "a\"b"});
  check::text(to_text(program), R"(<perceptionprogram>
modality: segmentation
granularity: patch
grid:
  rows: 1
  cols: 3
items:
  - p: 1
    c: [0, 0]
    r: 1
    b: "a\"b"
  - p: 2
    c: [333, 0]
    r: 1
    b: "no"
  - p: 3
    c: [666, 0]
    r: unknown
relations:
  - [p=1, adjacent_to, p=2]
</perceptionprogram>)");
  check::that(percepts::array_of<std::int64_t>(program, "label") == std::vector<std::int64_t>{7, 2, 255});
  check::that(std::isnan(percepts::array_of<double>(program, "share")[2]));
}

void test_what_is_refused() {
  const std::vector<std::uint64_t> large{~std::uint64_t{0}};
  check::refused(
      [&] { percepts::segmentation(percepts::dense_field(large.data(), {1, 1}), options_for({1, 1})); },
      "labels must fit an int64, got 18446744073709551615");
  const std::vector<std::int8_t> labels{1, 2};
  const percepts::Field field = percepts::dense_field(labels.data(), {1, 2});
  auto program = percepts::segmentation(field, options_for({1, 2}));
  check::refused([&] { percepts::name_labels(program, {"one"}); }, "2 labels, got 1 names");
  const std::vector<percepts::Field> fields{field, field};
  check::refused([&] { percepts::segmentation(fields, options_for({1, 3}), {2, {}}); }, "map 0 of the batch");
}

}  // namespace

int main() {
  test_text();
  test_what_is_refused();
}

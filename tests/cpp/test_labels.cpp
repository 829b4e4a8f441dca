#include <cmath>
#include <vector>

#include "check.hpp"
#include "percepts/depth.hpp"
#include "percepts/label_mode.hpp"

namespace {

percepts::Field labels_of(const std::vector<std::int32_t>& labels) {
  return {.data = reinterpret_cast<const std::byte*>(labels.data()),
          .dtype = percepts::DType::int32,
          .extent = {1, static_cast<std::int64_t>(labels.size())},
          .stride_y = 0,
          .stride_x = sizeof(std::int32_t),
          .mask = {},
          .sentinels = {}};
}

void test_modes() {
  const std::vector<std::int32_t> labels{9, 4, 4, -7, 2147483647, -7};
  auto modes = percepts::label_mode(labels_of(labels), {1, 2});
  check::that(modes.label == std::vector<std::int64_t>{4, -7});
  check::that(modes.share == std::vector<double>{2.0 / 3, 2.0 / 3});
  modes = percepts::label_mode(labels_of(labels), {1, 6}, -7);
  check::that(modes.label[3] == -7 && std::isnan(modes.share[3]));
}

void test_labelled_programs() {
  const std::vector<float> values{0.5F, 0.5F};
  percepts::DepthOptions options;
  options.grid = {1, 2};
  options.note = percepts::NoNote{};
  percepts::Program program = percepts::depth(percepts::dense_field(values.data(), {1, 2}), options);
  percepts::attach_labels(program, {"a\"b", "no"}, {1, 0});
  check::that(to_text(program).find("    b: \"no\"\n  - p: 2\n") != std::string::npos);
  check::that(to_text(program).find("    b: \"a\\\"b\"\n") != std::string::npos);
  check::refused([&] { percepts::attach_labels(program, {"a"}, {0}); }, "2 items, got 1 labels");
  check::refused([&] { percepts::attach_labels(program, {"a"}, {0, 1}); }, "indices below 1");
}

void test_what_labels_are_not() {
  const std::vector<float> values{0.5F};
  check::refused([&] { percepts::label_mode(percepts::dense_field(values.data(), {1, 1}), {1, 1}); },
                 "labels must be integers, got float32");
}

}  // namespace

int main() {
  test_modes();
  test_labelled_programs();
  test_what_labels_are_not();
}

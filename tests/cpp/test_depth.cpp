#include <vector>

#include "check.hpp"
#include "percepts/depth.hpp"

using percepts::DepthKind;
using percepts::DepthOptions;
using percepts::Grid;

namespace {

const std::vector<float> values{1, 2, 3, 5};

percepts::Field map() { return percepts::dense_field(values.data(), {2, 2}); }

DepthOptions options(DepthKind kind) {
  DepthOptions options;
  options.grid = Grid{2, 2};
  options.kind = kind;
  options.note = percepts::NoNote{};
  return options;
}

void test_text() {
  check::text(to_text(percepts::depth(map(), options(DepthKind::metric))),
              "<perceptionprogram>\n"
              "modality: depth\n"
              "granularity: patch\n"
              "grid:\n"
              "  rows: 2\n"
              "  cols: 2\n"
              "items:\n"
              "  - p: 1\n"
              "    c: [0, 0]\n"
              "    r: [1, 1]\n"
              "  - p: 2\n"
              "    c: [500, 0]\n"
              "    r: [0.75, 0.75]\n"
              "  - p: 3\n"
              "    c: [0, 500]\n"
              "    r: [0.5, 0.5]\n"
              "  - p: 4\n"
              "    c: [500, 500]\n"
              "    r: [0, 0]\n"
              "relations:\n"
              "  - [p=1, in_front_of, p=2]\n"
              "  - [p=1, in_front_of, p=3]\n"
              "  - [p=2, in_front_of, p=4]\n"
              "  - [p=3, in_front_of, p=4]\n"
              "</perceptionprogram>");
}

void test_arrays() {
  DepthOptions metres = options(DepthKind::metric);
  metres.normalize = false;
  metres.scale = 2;
  const auto program = percepts::depth(map(), metres);
  check::that(percepts::array_of<float>(program, "min") == std::vector<float>{0.5F, 1, 1.5F, 2.5F});
  check::that(percepts::array_of<double>(program, "mean") == std::vector<double>{0.5, 1, 1.5, 2.5});
  check::that(percepts::array_of<double>(program, "valid") == std::vector<double>(4, 1));
}

void test_errors() {
  check::refused([] { percepts::depth(map(), options(DepthKind::relative)); }, "got a range of [1, 5]");
  DepthOptions wrong = options(DepthKind::metric);
  wrong.range = percepts::DepthRange{.near = 3, .far = 2};
  check::refused([&] { percepts::check(wrong); }, "near < far for kind='metric', got (3, 2)");
  check::refused([] { percepts::depth_kind("inverse"); }, "got 'inverse'");
}

/// Numbers in messages show what is wrong with them.
void test_numbers_in_messages() {
  const auto refuses = [](double value, std::string_view part) {
    const std::vector<double> map{0.5, value};
    percepts::DepthOptions options;
    options.grid = {1, 1};
    check::refused([&] { percepts::depth(percepts::dense_field(map.data(), {1, 2}), options); }, part);
  };
  refuses(1.0000001F, "got a range of [0.5, 1.00000012]");
  refuses(1 + 0x1p-40, "got a range of [0.5, 1.0000000000009");
  refuses(-1e-300, "got a range of [-1e-300, 0.5]");
  refuses(255, "got a range of [0.5, 255]");
}

}  // namespace

int main() {
  test_text();
  test_arrays();
  test_errors();
  test_numbers_in_messages();
}

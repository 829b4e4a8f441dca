#include <limits>
#include <vector>

#include "check.hpp"
#include "percepts/detection.hpp"

using percepts::BoxFormat;
using percepts::Detections;
using percepts::Program;

namespace {

percepts::DetectionOptions of_vga() {
  percepts::DetectionOptions options;
  options.extent = {480, 640};
  options.note = percepts::NoNote{};
  return options;
}

void test_text() {
  const std::vector<double> boxes{64, 48, 320, 240, -5, 0, 700, 480, 0, 0, 1, 1};
  const std::vector<double> scores{0.25, 0.72114, 0.1};
  auto options = of_vga();
  options.min_score = 0.2;
  const Program program =
      percepts::detection({.boxes = boxes,
                           .scores = scores,
                           .labels = percepts::column::Labels{.names = {"dog", "a\nb"}, .index = {1, 0, 0}}},
                          options);
  check::text(to_text(program),
              "<perceptionprogram>\n"
              "modality: object-detection\n"
              "granularity: bounding-box\n"
              "items:\n"
              "  - p: 1\n"
              "    c: [100, 100, 500, 500]\n"
              "    r: 0.2500\n"
              "    b: \"a\\nb\"\n"
              "  - p: 2\n"
              "    c: [0, 0, 1000, 1000]\n"
              "    r: 0.7211\n"
              "    b: \"dog\"\n"
              "</perceptionprogram>");
  check::that(percepts::array_of<double>(program, "boxes") ==
              std::vector<double>{64, 48, 320, 240, 0, 0, 640, 480});
  check::that(percepts::array_of<double>(program, "scores") == std::vector<double>{0.25, 0.72114});
}

void test_formats() {
  const std::vector<double> centred{0.5, 0.5, 0.25, 0.5};
  auto options = of_vga();
  options.normalized = true;
  options.format = percepts::box_format("cxcywh");
  const Program program = percepts::detection({.boxes = centred, .scores = {}, .labels = {}}, options);
  check::that(percepts::array_of<double>(program, "boxes") == std::vector<double>{240, 120, 400, 360});
  options.format = percepts::box_format("xywh");
  const Program cornered = percepts::detection({.boxes = centred, .scores = {}, .labels = {}}, options);
  check::that(percepts::array_of<double>(cornered, "boxes") == std::vector<double>{320, 240, 480, 480});
  check::refused([] { percepts::box_format("yolo"); },
                 "box_format must be 'xyxy', 'xywh' or 'cxcywh', got 'yolo'");
}

void test_budget() {
  const std::vector<double> boxes(5 * 4, 1);
  const std::vector<double> scores{0.5, 0.9, 0.5, 0.9, 0.1};
  auto options = of_vga();
  options.max_items = 3;
  const Program program = percepts::detection({.boxes = boxes, .scores = scores, .labels = {}}, options);
  check::that(percepts::array_of<double>(program, "scores") == std::vector<double>{0.5, 0.9, 0.9});
  options.max_items = 0;
  check::that(percepts::detection({.boxes = boxes, .scores = {}, .labels = {}}, options).size == 0);
}

void test_errors() {
  const auto detect = [](std::vector<double> boxes, std::vector<double> scores, auto change) {
    auto options = of_vga();
    change(options);
    percepts::detection({.boxes = boxes, .scores = scores, .labels = {}}, options);
  };
  const auto as_it_is = [](percepts::DetectionOptions&) {};
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  check::refused([&] { detect({0, 0, 1, 1, 0, nan, 1, 1}, {1, 1}, as_it_is); },
                 "boxes[1] must be finite, got [0, nan, 1, 1]");
  check::refused([&] { detect({5, 0, 1, 1}, {1}, as_it_is); }, "boxes[0] must have x0 <= x1 and y0 <= y1");
  check::refused([&] { detect({5, 0, -1, 1}, {1}, [](auto& o) { o.format = BoxFormat::xywh; }); },
                 "boxes[0] must have a width and a height of at least 0");
  check::refused([&] { detect({0, 0, 1, 1}, {nan}, as_it_is); }, "scores[0] must be in [0, 1], got nan");
  check::refused([&] { detect({0, 0, 1, 1}, {}, as_it_is); }, "scores must be one for each of the 1 boxes");
  check::refused([&] { detect({0, 0, 1}, {1}, as_it_is); }, "boxes must have four numbers each");
  check::refused([&] { detect({}, {}, [](auto& o) { o.extent.width = 0; }); },
                 "size must be (width, height) of 1 to 2147483647 pixels, got (0, 480)");
  check::refused([&] { detect({}, {}, [](auto& o) { o.min_score = nan; }); }, "min_score must be in [0, 1]");
  check::refused([&] { detect({}, {}, [](auto& o) { o.max_items = -1; }); }, "max_items must be at least 0");
  const std::vector<double> box{0, 0, 1, 1};
  for (const std::vector<std::int32_t>& index : {std::vector<std::int32_t>{}, {1}, {-1}}) {
    const percepts::column::Labels labels{.names = {"one"}, .index = index};
    check::refused([&] { percepts::detection({.boxes = box, .scores = {}, .labels = labels}, of_vga()); },
                   "labels must be one of the names for each of the 1 boxes");
  }
}

}  // namespace

int main() {
  test_text();
  test_formats();
  test_budget();
  test_errors();
}

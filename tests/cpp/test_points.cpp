#include <vector>

#include "check.hpp"
#include "percepts/points.hpp"

int main() {
  const percepts::Extent size{.height = 480, .width = 640};
  const percepts::ImagePoints question{
      .image = "image 2", .size = size, .points = {{"B", {320, 240}}, {"A\"", {0, 480}}}};
  const percepts::ImagePoints reference{.image = "image 1", .size = size, .points = {{"REF", {700, -1}}}};
  const percepts::PointsOptions plain{.outside = percepts::Outside::error, .note = percepts::NoNote{}};
  check::text(to_text(percepts::points(question, plain)),
              "<perceptionprogram>\n"
              "modality: point-detection\n"
              "granularity: pixels\n"
              "items:\n"
              "  - c: [0, 1000]\n"
              "    b: \"A\\\"\"\n"
              "  - c: [500, 500]\n"
              "    b: \"B\"\n"
              "</perceptionprogram>");
  const std::vector<percepts::ImagePoints> both{question, reference};
  check::refused([&] { percepts::points(both, plain); },
                 "the point \"REF\" of \"image 1\" must lie within its image of 640x480 pixels (width x "
                 "height), got (700, -1)");
  const percepts::PointsOptions clipped{.outside = percepts::Outside::clip, .note = std::string("mine")};
  const percepts::Program program = percepts::points(both, clipped);
  check::that(percepts::array_of<double>(program, "points") == std::vector<double>{640, 0, 0, 480, 320, 240});
  check::that(to_text(program).find("  - i: \"image 1\"\n    c: [1000, 0]\n    b: \"REF\"\n") !=
              std::string::npos);
  check::refused([] { percepts::points(percepts::ImagePoints{}); }, "size must be (width, height)");
}

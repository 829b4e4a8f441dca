#include <vector>

#include "check.hpp"
#include "percepts/flow.hpp"

int main() {
  const std::vector<float> u{-1, 0, 2, -3};
  const percepts::Field component = percepts::dense_field(u.data(), {1, 4});
  percepts::FlowOptions options;
  options.grid = percepts::Grid{1, 2};
  options.motion = percepts::flow_motion("camera");
  options.note = std::string("</perceptionprogram>");
  const percepts::Program program = percepts::flow(component, options);
  check::text(to_text(program),
              "<perceptionprogram>\n"
              "modality: flow\n"
              "granularity: patch\n"
              "grid:\n"
              "  rows: 1\n"
              "  cols: 2\n"
              "note: \"\\u003C/perceptionprogram>\"\n"
              "items:\n"
              "  - p: 1\n"
              "    c: [0, 0]\n"
              "    r: right\n"
              "  - p: 2\n"
              "    c: [500, 0]\n"
              "    r: right\n"
              "</perceptionprogram>");
  check::that(percepts::array_of<double>(program, "mean") == std::vector<double>{-0.5, -0.5});
  check::refused([] { percepts::flow_axis("depth"); },
                 "axis must be 'horizontal' or 'vertical', got 'depth'");
  options.grid = percepts::Grid{2, 2};
  check::refused([&] { percepts::flow(component, options); }, "every cell must hold a pixel");
}

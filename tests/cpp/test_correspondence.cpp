#include <array>
#include <cmath>

#include "check.hpp"
#include "percepts/correspondence.hpp"
#include "percepts/nearest_match.hpp"

namespace {

constexpr std::array<percepts::Point, 3> points{{{32, 8}, {100.5, 50}, {512, 400}}};
constexpr std::array<double, 3> confidence{0.25, 0.75, 0.5};

percepts::CorrespondenceOptions plain_options() {
  percepts::CorrespondenceOptions options;
  options.size0 = options.size1 = {.height = 400, .width = 512};
  options.note = percepts::NoNote{};
  return options;
}

void programs() {
  percepts::CorrespondenceOptions options = plain_options();
  options.max_items = 2;
  const percepts::Program program = correspondence({points, points, confidence}, options);
  check::text(to_text(program),
              "<perceptionprogram>\n"
              "modality: correspondence\n"
              "granularity: keypoint\n"
              "items:\n"
              "  - p: 1\n"
              "    c: [196, 125]\n"
              "    r: [196, 125]\n"
              "  - p: 2\n"
              "    c: [1000, 1000]\n"
              "    r: [1000, 1000]\n"
              "</perceptionprogram>");
  check::that(percepts::array_of<double>(program, "confidence") == std::vector<double>{0.75, 0.5});
  check::that(percepts::array_of<double>(program, "points1") == std::vector<double>{100.5, 50, 512, 400});
  options.keep = percepts::keep("spread");
  const percepts::Program spread = correspondence({points, points, std::nullopt}, options);
  check::that(percepts::array_of<double>(spread, "points0") == std::vector<double>{32, 8, 512, 400});
}

void refusals() {
  percepts::CorrespondenceOptions options = plain_options();
  const auto refused = [&](const percepts::Matches& matches, std::string_view part) {
    check::refused([&] { correspondence(matches, options); }, part);
  };
  const std::span<const percepts::Point> all = points;
  refused({all, all.first(2), std::nullopt}, "points0 and points1 must be as many, got 3 and 2");
  refused({all, all, std::span(confidence).first(1)},
          "confidence must have a value for each of the 3 matches, got 1");
  options.size1.width = 500;
  refused({all, all, std::nullopt}, "points1[2] must lie within its image of 500x400 pixels");
  options.size1.width = 0;
  refused({all, all, std::nullopt},
          "size1 must be (width, height) of 1 to 2147483647 pixels each, got (0, 400)");
  options = plain_options();
  options.max_items = -1;
  refused({all, all, std::nullopt}, "max_items must be at least 0, got -1");
  check::refused([] { percepts::keep("best"); }, "keep must be 'confidence' or 'spread', got 'best'");
  check::refused([] { percepts::rounding("up"); }, "rounding must be 'floor' or 'nearest', got 'up'");
  check::refused([] { percepts::outside("drop"); }, "outside must be 'error' or 'clip', got 'drop'");
}

void nearest() {
  constexpr std::array<percepts::Point, 2> queries{{{513, 401}, {66.25, 29}}};
  const percepts::NearestMatches found = percepts::nearest_match(points, queries);
  check::that(found.index == std::vector<std::int64_t>{2, 0});
  check::that(found.distance == std::vector<double>{std::sqrt(2.0), std::hypot(34.25, 21)});
  check::that(percepts::nearest_match({}, {}).index.empty());
  check::refused([&] { percepts::nearest_match({}, queries); },
                 "nearest_match needs at least one point, got none");
}

}  // namespace

int main() {
  programs();
  refusals();
  nearest();
}

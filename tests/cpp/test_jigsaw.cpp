#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "percepts/jigsaw.hpp"

namespace {

using percepts::Image;
using percepts::JigsawPiece;

/// A grey image of 4×6 whose last 2×3 pixels are missing.
const std::vector<std::uint8_t> grey{10, 20, 30, 40,  50,  60,   //
                                     15, 25, 35, 200, 210, 220,  //
                                     11, 21, 90, 0,   0,   0,    //
                                     12, 22, 80, 0,   0,   0};
const Image image = percepts::dense_image(grey.data(), {4, 6}, 1);

void test_text() {
  const std::vector<std::uint8_t> fitting{90, 210, 220, 80, 9, 9};
  const std::vector<std::uint8_t> black(6);
  const std::array pieces{JigsawPiece{"fits \"left\"", percepts::dense_image(fitting.data(), {2, 3}, 1)},
                          JigsawPiece{"</b>", percepts::dense_image(black.data(), {2, 3}, 1)}};
  percepts::JigsawOptions options;
  options.strip = 1;
  options.note = percepts::NoNote{};
  const percepts::Program program = percepts::jigsaw(image, pieces, options);
  const std::string text = to_text(program);
  const std::string head =
      "<perceptionprogram>\n"
      "modality: jigsaw\n"
      "granularity: border\n"
      "items:\n"
      "  - p: left\n"
      "    i: \"fits \\\"left\\\"\"\n"
      "    c: [0, 0, 333, 1000]\n"
      "    r: 1.000000\n"
      "  - p: top\n"
      "    i: \"fits \\\"left\\\"\"\n"
      "    c: [0, 0, 1000, 500]\n"
      "    r: 0.";
  check::text(std::string_view(text).substr(0, head.size()), head);
  check::that(text.find("i: \"\\u003C/b>\"") != std::string::npos);
  check::that(percepts::array_of<double>(program, "structure").size() == 4);
  check::that(percepts::array_of<double>(program, "similarity").front() == 1);
  check::that(percepts::parse(text) == program);
  check::that(percepts::jigsaw(image, {}, options).size == 0);
}

void test_similarities() {
  const std::vector<float> step{0, 0, 1, 1};
  const std::vector<float> earlier{0, 1, 1, 1};
  const auto line = [](const std::vector<float>& values) {
    return percepts::dense_image(values.data(), {1, 4}, 1);
  };
  const percepts::StripSimilarity similarity = percepts::strip_similarity(line(step), line(earlier));
  check::that(similarity.edge == 0.5);
  check::that(std::abs(similarity.color - (1 - 1.0 / 15)) < 1e-15);
  check::that(percepts::strip_similarity(line(step), line(step)).structure == 1);
}

void test_refusals() {
  const std::vector<float> values{0, 0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN()};
  const auto piece = [&](percepts::Extent extent) {
    return JigsawPiece{"A", percepts::dense_image(values.data(), extent, 1)};
  };
  const auto with = [](std::vector<JigsawPiece> pieces, std::int64_t strip = 8) {
    percepts::JigsawOptions options;
    options.strip = strip;
    percepts::jigsaw(image, pieces, options);
  };
  check::refused([&] { with({piece({2, 3})}); }, "piece \"A\" must have values in [0, 1], got nan");
  check::refused([&] { with({piece({1, 3})}, 0); }, "strip must be at least 1, got 0");
  check::refused([&] { with({piece({1, 6})}); }, "on both sides, got 6x1 (width x height)");
  check::refused([&] { with({piece({0, 3})}); }, "must have pixels");
  check::refused([&] { with({piece({1, 3}), piece({1, 3})}); },
                 "must have different labels, got piece \"A\"");
  JigsawPiece other = piece({3, 1});
  other.label = "B";
  check::refused([&] { with({piece({1, 3}), other}); },
                 "of one size, got 3x1 (width x height) and 1x3 (width x height) for piece \"B\"");
  const std::vector<std::int16_t> integers(4);
  const Image wrong = percepts::dense_image(integers.data(), {2, 2}, 1);
  check::refused([&] { percepts::strip_similarity(wrong, wrong); },
                 "must be uint8 or floating point, got int16");
  check::refused([&] { percepts::strip_similarity(image, wrong); }, "must have the same shape");
}

}  // namespace

int main() {
  test_text();
  test_similarities();
  test_refusals();
}

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "percepts/semantic.hpp"

namespace {

// Two channels of a row of two cells, (1, 0) and (0, 2), with the channels in either place.
const std::vector<float> channels_first{1, 0, 0, 2};
const std::vector<float> channels_last{1, 0, 0, 2};

percepts::FeatureMap map_of(const std::vector<float>& values, bool last) {
  constexpr std::ptrdiff_t element = sizeof(float);
  return {.data = reinterpret_cast<const std::byte*>(values.data()),
          .dtype = percepts::DType::float32,
          .channels = 2,
          .extent = {1, 2},
          .stride_c = last ? element : 2 * element,
          .stride_y = 2 * element,
          .stride_x = last ? 2 * element : element};
}

}  // namespace

int main() {
  const percepts::FeatureMap first = map_of(channels_first, false);
  const percepts::FeatureMap last = map_of(channels_last, true);
  const std::vector<percepts::Point> targets{{0, 0}, {1, 0}, {0.5, 0}};
  const std::vector<double> expected{1, 0, 0.5 / std::sqrt(1.25)};
  check::that(percepts::feature_similarity(first, first, {0, 0}, targets) == expected);
  check::that(percepts::feature_similarity(last, first, {0, 0}, targets) == expected);
  check::that(percepts::feature_similarity(first, first, {0, 0}, {}).empty());

  percepts::SemanticOptions options{.size0 = {10, 20}, .size1 = {10, 20}, .note = percepts::NoNote{}};
  const std::vector<percepts::Candidate> candidates{{"A", {20, 10}}, {"<b>", {4, 0}}};
  const percepts::Program program = percepts::semantic(first, first, {0, 0}, candidates, options);
  check::text(to_text(program),
              "<perceptionprogram>\n"
              "modality: semantic\n"
              "granularity: point\n"
              "items:\n"
              "  - p: \"A\"\n"
              "    c: [1000, 1000]\n"
              "    r: 0.000000\n"
              "  - p: \"\\u003Cb>\"\n"
              "    c: [200, 0]\n"
              "    r: 1.000000\n"
              "</perceptionprogram>");
  check::that(percepts::array_of<double>(program, "score") == std::vector<double>{0, 1});

  const std::vector<double> scores{0.25, std::numeric_limits<double>::infinity()};
  const percepts::Program ready = percepts::semantic_scores(scores, candidates, {10, 20}, percepts::NoNote{});
  check::that(to_text(ready).find("    r: unknown\n") != std::string::npos);

  percepts::FeatureMap narrow = first;
  narrow.channels = 1;
  check::refused([&] { percepts::feature_similarity(first, narrow, {0, 0}, {}); }, "got 2 and 1");
  narrow.channels = 0;
  check::refused([&] { percepts::feature_similarity(narrow, first, {0, 0}, {}); }, "got 0x1x2");
  check::refused([&] { percepts::feature_similarity(first, first, {3, 0}, {}); },
                 "source must be within 0 <= x <= 2 and 0 <= y <= 1, got (3, 0)");
  check::refused([&] { percepts::semantic_scores({}, candidates, {10, 20}); }, "got 0 for 2");
  check::refused([&] { percepts::semantic_scores(scores, candidates, {0, 20}); },
                 "size must be (width, height) of 1 to 2147483647 pixels each");
  const std::vector<percepts::Candidate> twice{{"A", {0, 0}}, {"A", {1, 0}}};
  check::refused([&] { percepts::semantic_scores(scores, twice, {10, 20}); }, "p must be unique");
}

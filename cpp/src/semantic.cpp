#include "percepts/semantic.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/feature_points.hpp"
#include "percepts/error.hpp"
#include "percepts/values.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

void check_candidates(std::span<const Candidate> candidates, const Extent& size) {
  for (const auto& [label, point] : candidates)
    check_point(message("candidates['", label, "']"), point, size);
}

float float32_score(double score) {
  if (!std::isfinite(score)) return std::numeric_limits<float>::quiet_NaN();
  const auto printed = static_cast<float>(score);
  if (std::isinf(printed)) throw InvalidArgument(message("scores must fit float32, got ", score));
  return printed;
}

column::Reals readings_of(std::span<const double> scores) {
  column::Reals readings{.width = 1, .values = {}, .format = NumberFormat::fixed6};
  readings.values.reserve(scores.size());
  for (const double score : scores) readings.values.push_back(float32_score(score));
  return readings;
}

Program program_of(std::vector<double> scores, std::span<const Candidate> candidates,
                   const SemanticOptions& options) {
  const Extent& size = options.size1;
  Program program;
  program.modality = "semantic";
  program.granularity = "point";
  program.note = note_of(options);
  program.size = candidates.size();
  column::Labels labels;
  column::Integers places{.width = 2, .values = {}};
  for (const auto& [label, point] : candidates) {
    labels.index.push_back(static_cast<std::int32_t>(labels.names.size()));
    labels.names.push_back(label);
    places.values.push_back(canonical_of(point.x, size.width));
    places.values.push_back(canonical_of(point.y, size.height));
  }
  program.p = std::move(labels);
  program.c = std::move(places);
  program.r = readings_of(scores);
  for (double& score : scores) {
    if (!std::isfinite(score)) score = std::numeric_limits<double>::quiet_NaN();
  }
  program.arrays.push_back({"score", {static_cast<std::int64_t>(scores.size())}, std::move(scores)});
  check(program);
  return program;
}

}  // namespace

Program semantic(const FeatureMap& features0, const FeatureMap& features1, Point source,
                 std::span<const Candidate> candidates, const SemanticOptions& options) {
  check_size(options.size1, "size1");
  check_candidates(candidates, options.size1);
  std::vector<Point> targets;
  targets.reserve(candidates.size());
  for (const Candidate& candidate : candidates) targets.push_back(candidate.point);
  return program_of(feature_similarity(features0, features1, source, targets, options.size0, options.size1),
                    candidates, options);
}

Program semantic_scores(std::span<const double> scores, std::span<const Candidate> candidates,
                        const Extent& size, const Note& note) {
  if (scores.size() != candidates.size()) {
    throw InvalidArgument(
        message("scores must be one a candidate, got ", scores.size(), " for ", candidates.size()));
  }
  check_size(size, "size");
  check_candidates(candidates, size);
  return program_of({scores.begin(), scores.end()}, candidates, {.size0 = size, .size1 = size, .note = note});
}

}  // namespace percepts

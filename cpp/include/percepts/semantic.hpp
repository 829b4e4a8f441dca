#pragma once

#include <span>
#include <string>

#include "percepts/feature_similarity.hpp"
#include "percepts/field.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// A point of the second image that may be the one that is looked for.
struct Candidate {
  std::string label;  ///< UTF-8
  Point point;
};

/// How a program of semantic similarity is made from features.
struct SemanticOptions {
  Extent size0;  ///< of the first image, in pixels
  Extent size1;  ///< of the second image
  Note note;
};

/// The program of semantic similarity (paper, 3.2.6): per candidate the cosine similarity of the features at
/// it to those at the source point, as feature_similarity() gives it; unknown where that is NaN. Throws
/// InvalidArgument when maps, sizes or points do not meet their requirements, or a label is there twice.
Program semantic(const FeatureMap& features0, const FeatureMap& features1, Point source,
                 std::span<const Candidate> candidates, const SemanticOptions& options);

/// The same from ready scores, one a candidate; what is not finite is unknown. `size` is that of the image
/// that the candidates are in. Throws InvalidArgument also when a score does not fit a float.
Program semantic_scores(std::span<const double> scores, std::span<const Candidate> candidates,
                        const Extent& size, const Note& note = {});

}  // namespace percepts

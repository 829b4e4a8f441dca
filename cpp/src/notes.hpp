#pragma once

#include <optional>
#include <string>

#include "percepts/albedo.hpp"
#include "percepts/correspondence.hpp"
#include "percepts/depth.hpp"
#include "percepts/detection.hpp"
#include "percepts/flow.hpp"
#include "percepts/jigsaw.hpp"
#include "percepts/points.hpp"
#include "percepts/segmentation.hpp"
#include "percepts/semantic.hpp"
#include "percepts/similarity.hpp"

namespace percepts {

/// The note that a program prints, if any.
std::optional<std::string> note_of(const DepthOptions& options);
std::optional<std::string> note_of(const FlowOptions& options);
std::optional<std::string> note_of(const SegmentationOptions& options);
std::optional<std::string> note_of(const AlbedoOptions& options);
std::optional<std::string> note_of(const SimilarityOptions& options);
std::optional<std::string> note_of(const DetectionOptions& options, bool scored, bool labelled);
std::optional<std::string> note_of(const JigsawOptions& options);
std::optional<std::string> note_of(const CorrespondenceOptions& options);
std::optional<std::string> note_of(const PointsOptions& options, bool several);
std::optional<std::string> note_of(const SemanticOptions& options);

/// A built-in note without what it says of relations; any other as it is.
std::string note_without_relations(std::string note);

}  // namespace percepts

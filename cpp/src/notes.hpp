#pragma once

#include <optional>
#include <string>

#include "percepts/correspondence.hpp"
#include "percepts/depth.hpp"
#include "percepts/flow.hpp"
#include "percepts/points.hpp"

namespace percepts {

/// The note that a program prints, if any.
std::optional<std::string> note_of(const DepthOptions& options);
std::optional<std::string> note_of(const FlowOptions& options);
std::optional<std::string> note_of(const CorrespondenceOptions& options);
std::optional<std::string> note_of(const PointsOptions& options, bool several);

}  // namespace percepts

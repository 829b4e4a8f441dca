#pragma once

#include <optional>
#include <string>

#include "percepts/depth.hpp"
#include "percepts/flow.hpp"
#include "percepts/semantic.hpp"

namespace percepts {

/// The note that a program prints, if any.
std::optional<std::string> note_of(const DepthOptions& options);
std::optional<std::string> note_of(const FlowOptions& options);
std::optional<std::string> note_of(const SemanticOptions& options);

/// A built-in note without what it says of relations; any other as it is.
std::string note_without_relations(std::string note);

}  // namespace percepts

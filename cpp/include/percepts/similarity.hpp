#pragma once

#include <span>
#include <string>

#include "percepts/field.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// A candidate's map of similarities.
struct NamedMap {
  std::string name;  ///< UTF-8
  Field map;         ///< what is invalid in it reads "unknown"
};

/// How a similarity program is made.
struct SimilarityOptions {
  Note note;
};

/// The similarity program of several candidates: one item a value, numbered over all maps. Throws
/// InvalidArgument without a map, for maps of different sizes, or for a value that does not fit float32.
Program similarity(std::span<const NamedMap> maps, const SimilarityOptions& options = {});

}  // namespace percepts

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "percepts/albedo.hpp"
#include "percepts/depth.hpp"
#include "percepts/flow.hpp"
#include "percepts/program.hpp"
#include "percepts/segmentation.hpp"

namespace percepts {

/// How a batch is worked off: in threads across maps, which all end before the call returns.
struct Workers {
  std::size_t threads = 1;
  /// Called by the calling thread now and then. What it throws ends the work and is thrown on.
  std::function<void()> poll;
};

/// The depth program of each map; each is read by its own range. Of several maps that do not meet their
/// requirements the first one's InvalidArgument is thrown, with its index.
std::vector<Program> depth(std::span<const Field> fields, const DepthOptions& options,
                           const Workers& workers);

/// The flow program of each field, likewise.
std::vector<Program> flow(std::span<const Field> components, const FlowOptions& options,
                          const Workers& workers);

/// The segmentation program of each label map, likewise.
std::vector<Program> segmentation(std::span<const Field> labels, const SegmentationOptions& options,
                                  const Workers& workers);

/// The albedo program of each map, likewise.
std::vector<Program> albedo(std::span<const Field> fields, const AlbedoOptions& options,
                            const Workers& workers);

/// The text of each program.
std::vector<std::string> to_texts(std::span<const Program* const> programs, Style style,
                                  const Workers& workers);

}  // namespace percepts

#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mean_signs.hpp"
#include "percepts/flow.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// The flow program of these numbers, of whatever backend; `count` are the valid pixels of the cells.
Program flow_program(const Extent& extent, const FlowOptions& options, kernels::MeanSigns signs,
                     const std::vector<std::int32_t>& count);

}  // namespace percepts

#pragma once

#include <cstdint>
#include <vector>

#include "percepts/program.hpp"

namespace percepts {

/// A program with one numbered item a cell, at the cell's centre. Readings are the caller's.
Program program_of_cells(const char* modality, const Grid& grid, const Extent& extent);

/// Share of valid pixels of each cell.
std::vector<double> valid_share(const std::vector<std::int32_t>& count, const Grid& grid,
                                const Extent& extent);

}  // namespace percepts

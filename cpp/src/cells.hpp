#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "percepts/program.hpp"

namespace percepts {

/// A program with one numbered item a cell, at the cell's centre. Readings are the caller's.
Program program_of_cells(const char* modality, const Grid& grid, const Extent& extent);

/// Keeps numbers of the program's cells, one a cell.
template <class T>
void add_array(Program& program, const char* name, std::vector<T> values) {
  program.arrays.push_back({name, {program.grid->rows, program.grid->cols}, std::move(values)});
}

/// Pixels of the cells along one axis.
std::vector<double> sizes_of(std::int64_t extent, std::int32_t count);

/// Share of valid pixels of each cell.
std::vector<double> valid_share(const std::vector<std::int32_t>& count, const Grid& grid,
                                const Extent& extent);

}  // namespace percepts

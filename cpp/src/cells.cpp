#include "src/cells.hpp"

namespace percepts {
namespace {

/// Canonical centres of the cells along one axis.
std::vector<std::int32_t> centers_of(std::int64_t extent, std::int32_t count) {
  std::vector<std::int32_t> centers;
  centers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t index = 0; index < count; ++index) {
    centers.push_back(static_cast<std::int32_t>(cell_center(index, extent, count)));
  }
  return centers;
}

}  // namespace

std::vector<double> sizes_of(std::int64_t extent, std::int32_t count) {
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(count));
  std::int64_t start = 0;
  for (std::int64_t index = 1; index <= count; ++index) {
    const std::int64_t end = cell_edge(index, extent, count);
    sizes.push_back(static_cast<double>(end - start));
    start = end;
  }
  return sizes;
}

Program program_of_cells(const char* modality, const Grid& grid, const Extent& extent) {
  Program program;
  program.modality = modality;
  program.granularity = "patch";
  program.grid = grid;
  program.size = static_cast<std::size_t>(grid.cells());
  program.p = column::Ordinal{};
  const std::vector<std::int32_t> xs = centers_of(extent.width, grid.cols);
  column::Integers centers{.width = 2, .values = {}};
  centers.values.reserve(2 * program.size);
  for (const std::int32_t y : centers_of(extent.height, grid.rows)) {
    for (const std::int32_t x : xs) {
      centers.values.push_back(x);
      centers.values.push_back(y);
    }
  }
  program.c = std::move(centers);
  return program;
}

std::vector<double> valid_share(const std::vector<std::int32_t>& count, const Grid& grid,
                                const Extent& extent) {
  const std::vector<double> widths = sizes_of(extent.width, grid.cols);
  std::vector<double> share;
  share.reserve(count.size());
  for (const double height : sizes_of(extent.height, grid.rows)) {
    for (const double width : widths)
      share.push_back(static_cast<double>(count[share.size()]) / (height * width));
  }
  return share;
}

}  // namespace percepts

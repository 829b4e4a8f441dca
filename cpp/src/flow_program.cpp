#include "src/flow_program.hpp"

#include <string_view>
#include <utility>

#include "src/cells.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

/// The words for a mean below zero and for any other, then the one for no data.
std::vector<std::string_view> words_of(const FlowOptions& options) {
  const bool horizontal = options.axis == FlowAxis::horizontal;
  std::string_view negative = horizontal ? "left" : "up";
  std::string_view positive = horizontal ? "right" : "down";
  if (options.motion == FlowMotion::camera) std::swap(negative, positive);
  return {negative, positive, unknown};
}

std::uint8_t word_for(std::int8_t sign) {
  if (sign == 0) return 2;
  return sign < 0 ? 0 : 1;
}

}  // namespace

Program flow_program(const Extent& extent, const FlowOptions& options, kernels::MeanSigns signs,
                     const std::vector<std::int32_t>& count) {
  const Grid& grid = options.grid;
  Program program = program_of_cells("flow", grid, extent);
  program.note = note_of(options);

  column::Words readings{.words = words_of(options), .index = {}};
  readings.index.reserve(program.size);
  for (const std::int8_t sign : signs.sign) readings.index.push_back(word_for(sign));
  program.r = std::move(readings);
  program.arrays.reserve(2);
  program.origin = CellOrigin{.extent = extent, .in_front = std::nullopt};
  add_array(program, "mean", std::move(signs.mean));
  add_array(program, "valid", valid_share(count, grid, extent));
  return program;
}

}  // namespace percepts

#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/depth_rule.hpp"
#include "percepts/depth.hpp"
#include "percepts/kernels.hpp"
#include "percepts/program.hpp"
#include "percepts/reading.hpp"
#include "src/neighbors.hpp"

// From numbers, of whatever backend, to depth programs.

namespace percepts {

/// What the options mean for values of this type.
kernels::DepthRule depth_rule(DType dtype, const DepthOptions& options);

/// How the values of these statistics become readings. Throws InvalidArgument for values that do not meet
/// their requirement.
ReadingMap checked_reading_map(DType dtype, const DepthOptions& options, const GridStats& stats);

/// The relations that the options keep, where `in_front(a, b)` says which of two neighbouring cells is in
/// front.
template <class InFront>
CellRelations relations_of(const DepthOptions& options, InFront in_front) {
  CellRelations relations{.predicates = {"in_front_of"}, .pairs = {}};
  if (!options.relations) return relations;
  const std::int64_t most = options.max_relations.value_or(std::numeric_limits<std::int64_t>::max());
  for_each_neighbors(options.grid, [&](std::int32_t a, std::int32_t b) {
    if (std::cmp_greater_equal(relations.pairs.size(), most)) return;
    const int sign = in_front(a, b);
    if (sign != 0)
      relations.pairs.push_back(sign > 0 ? CellRelation{a + 1, b + 1} : CellRelation{b + 1, a + 1});
  });
  return relations;
}

/// The program of these numbers: `means` are mean readings, NaN in a cell without data.
Program depth_program(const Extent& extent, const DepthOptions& options, const ReadingMap& map,
                      const GridStats& stats, std::vector<double> means, CellRelations relations);

}  // namespace percepts

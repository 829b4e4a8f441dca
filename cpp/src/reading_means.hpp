#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/depth_rule.hpp"
#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/kernels.hpp"

namespace percepts {

/// Mean readings of cells, each with a bound on its distance from the mean that is defined. A decision that
/// the bounds leave open is taken on the defined means, so that it is the same on every machine.
class ReadingMeans {
 public:
  /// The field must outlive this.
  ReadingMeans(const Field& field, const Grid& grid, const ReadingMap& map, const GridStats& stats);

  /// +1 when cell `a` is in front of cell `b`, -1 when `b` is, else 0 (also where either has no valid pixel).
  int in_front(std::size_t a, std::size_t b, const kernels::DepthRule& rule);

  /// NaN where a cell has no valid pixel.
  std::vector<double> means() && { return std::move(means_); }

 private:
  void add(const GridStats& stats, std::size_t cell);
  void define(std::size_t cell);

  const Field& field_;
  Grid grid_;
  kernels::MeanReadingRule rule_;
  std::vector<double> means_;
  std::vector<double> errors_;
  std::vector<std::uint8_t> clipped_;
};

}  // namespace percepts

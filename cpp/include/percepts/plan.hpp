#pragma once

#include <memory>

#include "percepts/dtype.hpp"
#include "percepts/field.hpp"
#include "percepts/grid.hpp"
#include "percepts/kernels.hpp"

namespace percepts {

/// Statistics of many maps of one shape and type, one after another, in buffers that are made once: a call
/// allocates nothing as long as maps are laid out in memory like the one before.
class StatsPlan {
 public:
  /// Throws InvalidArgument when the grid does not fit the extent.
  StatsPlan(DType dtype, Extent extent, Grid grid);
  ~StatsPlan();
  StatsPlan(StatsPlan&&) noexcept;
  StatsPlan& operator=(StatsPlan&&) noexcept;

  /// The statistics of a map, as grid_stats() gives them. They are the plan's own: the next call overwrites
  /// them. Throws InvalidArgument when the field is not of the plan's extent and type.
  const GridStats& operator()(const Field& field);

 private:
  struct Buffers;
  DType dtype_;
  Extent extent_;
  Grid grid_;
  GridStats stats_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace percepts

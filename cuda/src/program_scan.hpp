#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/scan_params.hpp"
#include "percepts/cuda.hpp"
#include "percepts/kernels.hpp"
#include "runtime/pool.hpp"

namespace percepts::cuda {

/// What a scan for programs is made for.
struct ScanPurpose {
  ScanTask task;
  kernels::DepthRule rule;  ///< of relations
  bool decides = true;      ///< false: no relations are wanted
  const char* what;         ///< for messages
};

/// The scan of maps of one shape into memory of its own, and the way of its numbers to the host.
class ProgramScan {
 public:
  ProgramScan(const PlanShape& shape, const Grid& grid, const ScanPurpose& purpose);
  /// Waits for work under way.
  ~ProgramScan();
  ProgramScan(const ProgramScan&) = delete;
  ProgramScan& operator=(const ProgramScan&) = delete;

  void run(const Maps& maps, Stream stream);
  bool is_done();
  void wait();

  const PlanShape& shape() const { return shape_; }
  const DeviceStats& stats() const { return params_.stats; }

  // On the host, of a map of the last call.
  GridStats stats_of(std::int64_t map) const;  ///< `mean` is left empty
  std::vector<double> means_of(std::int64_t map) const;
  /// The map's decisions: one sign a cell, or two relations.
  const std::int8_t* decisions_of(std::int64_t map) const;

 private:
  /// Where arrays are within a block of memory, which is one a cell of each map or one a partial.
  struct Layout {
    std::size_t means, counts, min, max, decisions, copied;  ///< `copied` ends what goes to the host
    std::size_t stat_means, errors, open, partials, end;
  };

  static Layout layout_of(const PlanShape& shape, const ScanCut& cut, std::size_t decisions);

  Doing doing() const { return {.what = purpose_.what, .device = shape_.device}; }
  void check_shape(const Maps& maps) const;
  std::size_t first_cell(std::int64_t map) const;
  template <class T>
  const T* on_host(std::size_t offset) const;

  PlanShape shape_;
  Grid grid_;
  ScanPurpose purpose_;
  ScanParams params_{};
  Layout layout_{};
  // None where there are no maps: then no device is needed.
  std::optional<Buffer> numbers_;
  std::optional<Buffer> arrivals_;
  std::optional<Buffer> host_;
  std::optional<Event> event_;
  bool ran_ = false;
  bool has_event_ = false;            ///< that the last call recorded
  std::atomic<bool> waited_ = false;  ///< for that event, by whoever asked
  bool in_graph_ = false;             ///< a call was captured: its graph may be launched at any time
};

}  // namespace percepts::cuda

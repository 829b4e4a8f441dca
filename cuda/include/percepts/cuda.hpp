#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "percepts/depth.hpp"
#include "percepts/dtype.hpp"
#include "percepts/error.hpp"
#include "percepts/field.hpp"
#include "percepts/flow.hpp"
#include "percepts/grid.hpp"
#include "percepts/kernels.hpp"
#include "percepts/program.hpp"

/// Programs from maps in the memory of a CUDA device. Nothing here needs CUDA's headers. A build without CUDA
/// links the same functions; they throw DeviceError, which says why there is none.
///
/// Work is put on the caller's stream; only what says so waits for it. Memory that is passed in must stay as
/// it is until the work on the stream is done. Whatever device is the current one stays it. Functions that a
/// fault of CUDA stops throw DeviceError.
namespace percepts::cuda {

/// A cudaStream_t. Null is the legacy default stream.
using Stream = void*;

/// Why no map on a device can be read: this build has no CUDA, there is no driver or one that is too old, or
/// no device. Empty where one can.
std::string why_unavailable();

/// A CUDA device of this machine.
struct Device {
  std::string name;
  std::int32_t major = 0;  ///< compute capability
  std::int32_t minor = 0;
};

/// Devices of this machine; none where why_unavailable() says something.
std::vector<Device> devices();

/// Architectures that this build has machine code for, such as 90, in ascending order; none without CUDA.
std::vector<std::int32_t> architectures();

/// Maps of one shape and type in device memory, such as a batch or a single one. Strides are in bytes, may be
/// negative or zero, and elements need not be aligned.
struct Maps {
  int device = 0;
  const std::byte* data = nullptr;  ///< the first pixel of the first map
  DType dtype = DType::float32;
  Extent extent;
  std::int64_t count = 1;         ///< maps
  std::ptrdiff_t stride_map = 0;  ///< from one map to the next
  std::ptrdiff_t stride_y = 0;
  std::ptrdiff_t stride_x = 0;
  Mask mask;                             ///< on the same device; of the first map
  std::ptrdiff_t mask_stride_map = 0;    ///< 0: one mask for all maps
  std::span<const std::byte> sentinels;  ///< on the host: packed elements of `dtype`, at most most_sentinels
};

/// Sentinels that maps on a device may have.
inline constexpr std::size_t most_sentinels = 128;

/// Dense C-contiguous maps, the most common case.
template <Element T>
Maps dense_maps(int device, const T* data, Extent extent, std::int64_t count = 1) {
  const Field one = dense_field(data, extent);
  return {.device = device,
          .data = one.data,
          .dtype = one.dtype,
          .extent = extent,
          .count = count,
          .stride_map = one.stride_y * static_cast<std::ptrdiff_t>(extent.height),
          .stride_y = one.stride_y,
          .stride_x = one.stride_x,
          .mask = {},
          .mask_stride_map = 0,
          .sentinels = {}};
}

/// What plans are made for.
struct PlanShape {
  int device = 0;
  DType dtype = DType::float32;
  Extent extent;
  std::int64_t count = 1;  ///< maps of a call
};

/// Statistics in device memory, each of (maps, rows, cols), dense.
struct DeviceStats {
  void* min = nullptr;  ///< float where narrow, else double
  void* max = nullptr;
  double* mean = nullptr;
  std::int32_t* count = nullptr;
  bool narrow = false;
};

/// Whether float32 holds the extremes of this type exactly.
constexpr bool fits_float32(DType dtype) { return size_of(dtype) < 4 || dtype == DType::float32; }

/// The depth programs of maps of one shape, again and again, in buffers that are made once.
///
/// A call allocates nothing and waits for nothing: it puts one kernel and one copy to the host onto the
/// stream, also while that stream is being captured into a graph. Calls on one stream may follow each other
/// at once; across streams the caller orders them. A graph needs the plan that was captured into it as long
/// as it is launched. A plan is for one thread at a time.
class DepthPlan {
 public:
  /// Throws InvalidArgument when options or grid do not meet their requirements, DeviceError when buffers
  /// cannot be made.
  DepthPlan(const PlanShape& shape, const DepthOptions& options);
  ~DepthPlan();
  DepthPlan(DepthPlan&&) noexcept;
  DepthPlan& operator=(DepthPlan&&) noexcept;

  /// Throws InvalidArgument when the maps are not of the plan's shape.
  void run(const Maps& maps, Stream stream);

  /// Statistics of the last call, in memory of the plan.
  const DeviceStats& stats() const;

  /// Whether the last call is done. Not for plans of which a call was captured.
  bool is_done() const;

  /// Waits for the last call; once a call was captured, for the whole device.
  void wait();

  /// The program of a map of the last call, after wait(). Throws InvalidArgument before the first call, and
  /// when the values do not meet their requirements.
  Program program(std::int64_t map) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The flow programs of fields of one shape, likewise; maps are of the component that `options.axis` names.
class FlowPlan {
 public:
  FlowPlan(const PlanShape& shape, const FlowOptions& options);
  ~FlowPlan();
  FlowPlan(FlowPlan&&) noexcept;
  FlowPlan& operator=(FlowPlan&&) noexcept;

  void run(const Maps& components, Stream stream);
  const DeviceStats& stats() const;
  bool is_done() const;
  void wait();
  Program program(std::int64_t map) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The depth program of each map: runs, waits for the stream's work and returns.
std::vector<Program> depth(const Maps& maps, const DepthOptions& options, Stream stream);

/// The flow program of each field, likewise.
std::vector<Program> flow(const Maps& components, const FlowOptions& options, Stream stream);

// Kernels by themselves. They write to dense device memory of the caller and return when the work is on the
// stream; scratch memory comes from the device's own pool and goes back to it in the stream's order.

/// Statistics of each cell of each map, as percepts::grid_stats() gives them. Throws InvalidArgument when the
/// grid does not fit.
void grid_stats(const Maps& maps, const Grid& grid, const DeviceStats& out, Stream stream);

/// Signs of means, as percepts::flow_sign(): (maps, rows, cols).
void flow_sign(const Maps& components, const Grid& grid, std::int8_t* out, Stream stream);

/// Relations of neighbours, as percepts::neighbor_relations(): `mean` (maps, rows, cols) to `out` (maps,
/// rows, cols, 2), both on the device.
void neighbor_relations(int device, const double* mean, std::int64_t maps, const Grid& grid, double tau,
                        std::int8_t* out, Stream stream);

/// Labels of most pixels, as percepts::label_mode(): labels in their own dtype and shares, (maps, rows, cols)
/// each. Without an ignored label, cells in which no pixel counts have label 0 and share NaN.
void label_mode(const Maps& labels, const Grid& grid, std::optional<std::int64_t> ignored, void* label,
                double* share, Stream stream);

}  // namespace percepts::cuda

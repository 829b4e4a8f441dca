#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "emulation/host_api.hpp"

namespace percepts::cuda::emulation {

class Capture;

/// One piece of a device's work. It runs when somebody must wait for it, as late as CUDA's rules allow, after
/// all that it depends on.
struct Operation {
  std::function<cudaError_t()> work;
  std::vector<std::shared_ptr<Operation>> after;
  int device = 0;
  bool done = false;
};
using OperationPointer = std::shared_ptr<Operation>;

}  // namespace percepts::cuda::emulation

// The types behind CUDA's handles.

struct CUstream_st {
  int device = 0;
  bool legacy = false;
  bool blocking = true;  // waits for the legacy stream, which waits for it
  percepts::cuda::emulation::OperationPointer tail;
  std::shared_ptr<percepts::cuda::emulation::Capture> capture;
  std::vector<std::size_t> captured_tail;  // the nodes of the capture that its next node depends on
};

struct CUevent_st {
  int device = 0;
  percepts::cuda::emulation::OperationPointer operation;  // null until it is recorded
  std::shared_ptr<percepts::cuda::emulation::Capture> capture;
  std::vector<std::size_t> captured_nodes;
};

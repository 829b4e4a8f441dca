#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "emulation/host_api.hpp"
#include "stream.hpp"

namespace percepts::cuda::emulation {

/// Work as a graph holds it. Nodes are listed in an order that respects what they depend on.
struct GraphNode {
  std::function<cudaError_t()> work;
  bool is_kernel = false;
  std::vector<std::size_t> after;
};

/// How this thread wants to be kept from unsafe calls.
cudaStreamCaptureMode& capture_mode_of_thread();

/// What streams record instead of doing it, from cudaStreamBeginCapture to cudaStreamEndCapture.
class Capture {
 public:
  Capture(cudaStream_t origin, cudaStreamCaptureMode mode)
      : origin_(origin), mode_(mode), thread_(std::this_thread::get_id()) {}

  cudaStream_t origin() const { return origin_; }
  bool is_valid() const { return valid_; }
  bool is_open() const { return open_; }
  void invalidate() { valid_ = false; }
  void close() { open_ = false; }

  /// Whether this thread may not make calls that CUDA names unsafe while the capture lasts.
  bool forbids_unsafe_calls() const;
  bool may_end_here() const;
  /// The number of the new node.
  std::size_t add(GraphNode node);
  /// Whether all nodes come before one of these.
  bool all_lead_to(const std::vector<std::size_t>& last) const;
  std::vector<GraphNode> take_nodes() { return std::move(nodes_); }

 private:
  cudaStream_t origin_;
  cudaStreamCaptureMode mode_;
  std::thread::id thread_;
  bool valid_ = true;
  bool open_ = true;
  std::vector<GraphNode> nodes_;
};

}  // namespace percepts::cuda::emulation

struct CUgraph_st {
  std::vector<percepts::cuda::emulation::GraphNode> nodes;
};

struct CUgraphExec_st {
  std::shared_ptr<const std::vector<percepts::cuda::emulation::GraphNode>> nodes;
  percepts::cuda::emulation::OperationPointer last_launch;  // a graph's launches follow each other
};

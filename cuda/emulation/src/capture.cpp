#include "capture.hpp"

#include <algorithm>

namespace percepts::cuda::emulation {

cudaStreamCaptureMode& capture_mode_of_thread() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

bool Capture::forbids_unsafe_calls() const {
  if (mode_ == cudaStreamCaptureModeRelaxed) return false;
  const bool is_own = thread_ == std::this_thread::get_id();
  switch (capture_mode_of_thread()) {
    case cudaStreamCaptureModeGlobal:
      return is_own || mode_ == cudaStreamCaptureModeGlobal;
    case cudaStreamCaptureModeThreadLocal:
      return is_own;
    default:
      return false;
  }
}

bool Capture::may_end_here() const {
  return mode_ == cudaStreamCaptureModeRelaxed || thread_ == std::this_thread::get_id();
}

std::size_t Capture::add(GraphNode node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

bool Capture::all_lead_to(const std::vector<std::size_t>& last) const {
  std::vector<bool> leads(nodes_.size(), false);
  for (const std::size_t node : last) leads[node] = true;
  for (std::size_t node = nodes_.size(); node-- > 0;) {
    if (!leads[node]) continue;
    for (const std::size_t before : nodes_[node].after) leads[before] = true;
  }
  return std::all_of(leads.begin(), leads.end(), [](bool value) { return value; });
}

}  // namespace percepts::cuda::emulation

#pragma once

#include "runtime/fault.hpp"

namespace percepts::cuda {

/// Whether a stream is being captured into a graph. The doing's device is the current one.
inline bool is_captured(cudaStream_t stream, const Doing& doing) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check_first(cudaStreamIsCapturing(stream, &status), doing);
  return status != cudaStreamCaptureStatusNone;
}

/// While this lives, the thread's calls have nothing to do with graphs that anybody is capturing: otherwise
/// CUDA refuses to be asked for an event or for memory then, and spoils the capture.
class BesideCaptures {
 public:
  BesideCaptures() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  ~BesideCaptures() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace percepts::cuda

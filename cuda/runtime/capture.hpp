#pragma once

#include "runtime/fault.hpp"

namespace percepts::cuda {

/// Whether a stream is being captured into a graph. The doing's device is the current one.
inline bool is_captured(cudaStream_t stream, const Doing& doing) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check_first(cudaStreamIsCapturing(stream, &status), doing);
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace percepts::cuda

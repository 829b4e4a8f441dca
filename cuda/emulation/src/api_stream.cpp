#include <utility>

#include "runtime.hpp"

using namespace percepts::cuda::emulation;

namespace {

template <class Body>
cudaError_t call_on_stream(const char* function, CallKind kind, cudaStream_t handle, Body body) {
  return call(function, kind, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    return stream != nullptr ? body(runtime, *stream) : cudaErrorInvalidResourceHandle;
  });
}

// A stream that captures nothing joins the capture that the event comes from.
cudaError_t wait_for_captured_event(Runtime& runtime, CUstream_st& stream, const CUevent_st& event) {
  if (!event.capture->is_open()) return cudaErrorCapturedEvent;
  if (!event.capture->is_valid()) return cudaErrorStreamCaptureInvalidated;
  if (stream.legacy) {
    event.capture->invalidate();
    return cudaErrorStreamCaptureImplicit;
  }
  if (stream.capture == nullptr) {
    stream.capture = event.capture;
    stream.captured_tail.clear();
  }
  if (stream.capture != event.capture) {
    stream.capture->invalidate();
    event.capture->invalidate();
    return cudaErrorStreamCaptureMerge;
  }
  if (const cudaError_t error = runtime.check_capture(stream); error != cudaSuccess) return error;
  stream.captured_tail.insert(stream.captured_tail.end(), event.captured_nodes.begin(),
                              event.captured_nodes.end());
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call("cudaStreamCreateWithFlags", CallKind::plain, [&](Runtime& runtime) {
    if ((flags & ~cudaStreamNonBlocking) != 0) return cudaErrorInvalidValue;
    *stream = new CUstream_st;
    (*stream)->device = current_device();
    (*stream)->blocking = (flags & cudaStreamNonBlocking) == 0;
    runtime.device(current_device()).streams.insert(*stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call("cudaStreamDestroy", CallKind::plain, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    if (stream == nullptr || stream != handle) return cudaErrorInvalidResourceHandle;
    if (stream->capture != nullptr) {
      stream->capture->invalidate();
      runtime.end_capture(stream->capture);
    }
    Device& device = runtime.device(stream->device);
    if (stream->tail != nullptr && !stream->tail->done) device.orphans.push_back(stream->tail);
    device.streams.erase(stream);
    delete stream;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call_on_stream("cudaStreamSynchronize", CallKind::unsafe, handle,
                        [](Runtime& runtime, CUstream_st& stream) {
                          ++runtime.counters.synchronizations;
                          const cudaError_t error = runtime.check_wait(stream);
                          return error == cudaSuccess ? runtime.complete_stream(stream) : error;
                        });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call_on_stream("cudaStreamQuery", CallKind::unsafe, handle,
                        [](Runtime& runtime, CUstream_st& stream) {
                          if (const cudaError_t error = runtime.check_wait(stream); error != cudaSuccess)
                            return error;
                          return runtime.query(stream.tail);
                        });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  return call_on_stream("cudaStreamWaitEvent", CallKind::plain, handle,
                        [event](Runtime& runtime, CUstream_st& stream) {
                          if (!runtime.events.contains(event)) return cudaErrorInvalidResourceHandle;
                          if (event->capture != nullptr)
                            return wait_for_captured_event(runtime, stream, *event);
                          if (const cudaError_t error = runtime.check_capture(stream); error != cudaSuccess)
                            return error;
                          if (event->operation == nullptr) return cudaSuccess;
                          if (stream.capture != nullptr) {
                            stream.capture->invalidate();
                            return cudaErrorStreamCaptureIsolation;
                          }
                          runtime.enqueue(stream, nullptr, event->operation);
                          return cudaSuccess;
                        });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call_on_stream(
      "cudaStreamIsCapturing", CallKind::plain, handle, [status](Runtime& runtime, CUstream_st& stream) {
        if (stream.legacy) {
          *status = cudaStreamCaptureStatusNone;
          return runtime.is_capturing_blocking_stream(stream.device) ? cudaErrorStreamCaptureImplicit
                                                                     : cudaSuccess;
        }
        *status = stream.capture == nullptr    ? cudaStreamCaptureStatusNone
                  : stream.capture->is_valid() ? cudaStreamCaptureStatusActive
                                               : cudaStreamCaptureStatusInvalidated;
        return cudaSuccess;
      });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call_on_stream("cudaStreamBeginCapture", CallKind::plain, handle,
                        [mode](Runtime& runtime, CUstream_st& stream) {
                          if (stream.legacy) return cudaErrorStreamCaptureUnsupported;
                          if (stream.capture != nullptr) return cudaErrorIllegalState;
                          stream.capture = std::make_shared<Capture>(&stream, mode);
                          stream.captured_tail.clear();
                          runtime.captures.insert(stream.capture);
                          return cudaSuccess;
                        });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call("cudaThreadExchangeStreamCaptureMode", CallKind::plain, [mode](Runtime&) {
    std::swap(*mode, capture_mode_of_thread());
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  *graph = nullptr;
  return call_on_stream("cudaStreamEndCapture", CallKind::plain, handle,
                        [graph](Runtime& runtime, CUstream_st& stream) {
                          const auto capture = stream.capture;
                          if (capture == nullptr) return cudaErrorIllegalState;
                          if (capture->origin() != &stream) {
                            capture->invalidate();
                            return cudaErrorStreamCaptureUnmatched;
                          }
                          if (!capture->may_end_here()) return cudaErrorStreamCaptureWrongThread;
                          const bool joined = capture->all_lead_to(stream.captured_tail);
                          runtime.end_capture(capture);
                          if (!capture->is_valid()) return cudaErrorStreamCaptureInvalidated;
                          if (!joined) return cudaErrorStreamCaptureUnjoined;
                          *graph = new CUgraph_st{capture->take_nodes()};
                          runtime.graphs.insert(*graph);
                          return cudaSuccess;
                        });
}

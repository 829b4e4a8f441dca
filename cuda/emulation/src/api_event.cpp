#include "runtime.hpp"

using namespace percepts::cuda::emulation;

namespace {

template <class Body>
cudaError_t call_on_event(const char* function, CallKind kind, cudaEvent_t event, Body body) {
  return call(function, kind, [&](Runtime& runtime) {
    return runtime.events.contains(event) ? body(runtime, *event) : cudaErrorInvalidResourceHandle;
  });
}

// Host code can neither wait for an event of a capture nor ask for it: nothing runs.
cudaError_t check_captured(const CUevent_st& event) {
  if (event.capture == nullptr) return cudaSuccess;
  event.capture->invalidate();
  return cudaErrorCapturedEvent;
}

}  // namespace

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return call("cudaEventCreateWithFlags", CallKind::plain, [&](Runtime& runtime) {
    *event = new CUevent_st;
    (*event)->device = current_device();
    runtime.events.insert(*event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t recorded, cudaStream_t handle) {
  return call_on_event(
      "cudaEventRecord", CallKind::plain, recorded, [handle](Runtime& runtime, CUevent_st& event) {
        const cudaStream_t stream = runtime.find_stream(handle);
        if (stream == nullptr || stream->device != event.device) return cudaErrorInvalidResourceHandle;
        if (const cudaError_t error = runtime.check_capture(*stream); error != cudaSuccess) return error;
        event.capture = stream->capture;
        event.captured_nodes = stream->captured_tail;
        event.operation = stream->capture == nullptr ? runtime.enqueue(*stream, nullptr) : nullptr;
        return cudaSuccess;
      });
}

cudaError_t cudaEventSynchronize(cudaEvent_t waited) {
  return call_on_event("cudaEventSynchronize", CallKind::unsafe, waited,
                       [](Runtime& runtime, const CUevent_st& event) {
                         ++runtime.counters.synchronizations;
                         const cudaError_t error = check_captured(event);
                         return error == cudaSuccess ? runtime.complete(event.operation) : error;
                       });
}

cudaError_t cudaEventQuery(cudaEvent_t asked) {
  return call_on_event("cudaEventQuery", CallKind::unsafe, asked,
                       [](Runtime& runtime, const CUevent_st& event) {
                         const cudaError_t error = check_captured(event);
                         return error == cudaSuccess ? runtime.query(event.operation) : error;
                       });
}

cudaError_t cudaEventDestroy(cudaEvent_t destroyed) {
  return call_on_event("cudaEventDestroy", CallKind::plain, destroyed,
                       [destroyed](Runtime& runtime, const CUevent_st&) {
                         runtime.events.erase(destroyed);
                         delete destroyed;
                         return cudaSuccess;
                       });
}

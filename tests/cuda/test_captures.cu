#include <thread>

#include "emulated.hpp"

using namespace emulated;

namespace {

struct Add {
  int* target;
  int added;
};

__global__ void add(const __grid_constant__ Add params) { *params.target += params.added; }

void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  must(cudaStreamBeginCapture(stream, mode));
}

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  must(cudaStreamIsCapturing(stream, &status));
  return status;
}

/// The call must be refused with `error`, and the capture is of no use after it.
template <class Call>
void refuses(cudaError_t error, Call call, unsigned stream_flags = cudaStreamNonBlocking,
             const std::source_location where = std::source_location::current()) {
  const cudaStream_t stream = make_stream(stream_flags);
  begin(stream);
  fails(call(stream), error, where);
  check::that(status_of(stream) == cudaStreamCaptureStatusInvalidated, where);
  fails(launch(add, {1, 1}, stream, {nullptr, 1}), cudaErrorStreamCaptureInvalidated, where);
  cudaGraph_t graph = nullptr;
  fails(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated, where);
  check::that(graph == nullptr && status_of(stream) == cudaStreamCaptureStatusNone, where);
  must(cudaStreamDestroy(stream), where);
}

void graphs_are_replayed() {
  auto* const memory = device_copy(std::vector<int>{0});
  int* pinned = nullptr;
  must(cudaMallocHost(&pinned, sizeof(int)));
  *pinned = -1;
  const cudaStream_t stream = make_stream();
  const emulation::Counters before = emulation::counters();
  begin(stream);
  check::that(status_of(stream) == cudaStreamCaptureStatusActive);
  must(launch(add, {1, 1}, stream, {memory, 3}));
  must(launch(add, {1, 1}, stream, {memory, 4}));
  must(cudaMemcpyAsync(pinned, memory, sizeof(int), cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = nullptr;
  must(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable = nullptr;
  must(cudaGraphInstantiate(&executable, graph));
  must(cudaGraphDestroy(graph));
  must(cudaStreamSynchronize(stream));
  check::that(*pinned == -1);
  check::that(emulation::counters().launches == before.launches);
  must(cudaGraphLaunch(executable, stream));
  must(cudaGraphLaunch(executable, make_stream()));  // after the first launch, whatever the stream
  must(cudaGraphExecDestroy(executable));
  must(cudaDeviceSynchronize());
  check::that(*pinned == 14);
  check::that(emulation::counters().launches == before.launches + 4);
  must(cudaFreeHost(pinned));
}

void other_streams_join() {
  auto* const memory = device_copy(std::vector<int>{0, 0});
  const cudaStream_t origin = make_stream();
  const cudaStream_t joined = make_stream();
  const cudaEvent_t fork = make_event();
  const cudaEvent_t join = make_event();
  for (const bool returns : {true, false}) {
    begin(origin);
    must(launch(add, {1, 1}, origin, {memory, 1}));
    must(cudaEventRecord(fork, origin));
    must(cudaStreamWaitEvent(joined, fork));
    check::that(status_of(joined) == cudaStreamCaptureStatusActive);
    must(launch(add, {1, 1}, joined, {memory + 1, 1}));
    must(cudaEventRecord(join, joined));
    if (returns) must(cudaStreamWaitEvent(origin, join));
    cudaGraph_t graph = nullptr;
    if (returns) {
      must(cudaStreamEndCapture(origin, &graph));
    } else {
      fails(cudaStreamEndCapture(origin, &graph), cudaErrorStreamCaptureUnjoined);
    }
    check::that(status_of(joined) == cudaStreamCaptureStatusNone);
  }
}

void what_capture_refuses() {
  const cudaStream_t other = make_stream();
  const cudaEvent_t event = make_event();
  auto* const memory = device_memory<int>(1);
  void* pointer = nullptr;
  refuses(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize);
  refuses(cudaErrorStreamCaptureUnsupported, cudaStreamQuery);
  refuses(cudaErrorStreamCaptureUnsupported, [](cudaStream_t) { return cudaDeviceSynchronize(); });
  refuses(cudaErrorStreamCaptureUnsupported, [&](cudaStream_t) { return cudaStreamSynchronize(other); });
  refuses(cudaErrorStreamCaptureUnsupported, [&](cudaStream_t) { return cudaMalloc(&pointer, 4); });
  refuses(cudaErrorStreamCaptureUnsupported, [&](cudaStream_t) { return cudaFree(memory); });
  refuses(cudaErrorStreamCaptureUnsupported, [&](cudaStream_t) { return cudaMallocHost(&pointer, 4); });
  refuses(cudaErrorStreamCaptureUnsupported, [&](cudaStream_t stream) {
    int value = 0;
    return cudaMemcpyAsync(&value, memory, sizeof value, cudaMemcpyDeviceToHost, stream);
  });
  refuses(cudaErrorStreamCaptureImplicit, [&](cudaStream_t stream) {
    must(cudaEventRecord(event, stream));
    return cudaStreamWaitEvent(nullptr, event);
  });
  refuses(cudaErrorStreamCaptureIsolation, [&](cudaStream_t stream) {
    must(cudaEventRecord(event, other));
    return cudaStreamWaitEvent(stream, event);
  });
  refuses(
      cudaErrorStreamCaptureImplicit, [&](cudaStream_t) { return launch(add, {1, 1}, nullptr, {memory, 1}); },
      cudaStreamDefault);
  fails(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  fails(cudaStreamEndCapture(other, &graph), cudaErrorIllegalState);
}

void events_of_a_capture_cannot_be_waited_for() {
  const cudaStream_t stream = make_stream();
  const cudaEvent_t event = make_event();
  begin(stream, cudaStreamCaptureModeRelaxed);
  must(cudaEventRecord(event, stream));
  fails(cudaEventSynchronize(event), cudaErrorCapturedEvent);
  cudaGraph_t graph = nullptr;
  fails(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

// A relaxed capture leaves alone what does not concern its streams.
void relaxed_captures_allow_allocation() {
  const cudaStream_t stream = make_stream();
  begin(stream, cudaStreamCaptureModeRelaxed);
  auto* const memory = device_memory<int>(1);
  must(launch(add, {1, 1}, stream, {memory, 1}));
  must(launch(add, {1, 1}, nullptr, {memory, 1}));
  cudaGraph_t graph = nullptr;
  must(cudaStreamEndCapture(stream, &graph));
  must(cudaGraphDestroy(graph));
  must(cudaFree(memory));
}

// So does a thread that says that its calls have nothing to do with captures, for as long as it says so.
void threads_may_stand_aside() {
  const cudaStream_t stream = make_stream();
  cudaEvent_t event = nullptr;
  must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  must(cudaEventRecord(event, make_stream()));
  begin(stream);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  must(cudaThreadExchangeStreamCaptureMode(&mode));
  check::that(mode == cudaStreamCaptureModeGlobal);
  must(cudaEventSynchronize(event));
  must(cudaThreadExchangeStreamCaptureMode(&mode));
  check::that(mode == cudaStreamCaptureModeRelaxed && status_of(stream) == cudaStreamCaptureStatusActive);
  fails(cudaEventQuery(event), cudaErrorStreamCaptureUnsupported);
  check::that(status_of(stream) == cudaStreamCaptureStatusInvalidated);
  cudaGraph_t graph = nullptr;
  fails(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);

  // Captures of another thread that concern only itself leave this one alone.
  begin(stream, cudaStreamCaptureModeThreadLocal);
  std::thread([&] { must(cudaEventQuery(event)); }).join();
  check::that(status_of(stream) == cudaStreamCaptureStatusActive);
  must(cudaStreamEndCapture(stream, &graph));
  must(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  graphs_are_replayed();
  other_streams_join();
  what_capture_refuses();
  events_of_a_capture_cannot_be_waited_for();
  relaxed_captures_allow_allocation();
  threads_may_stand_aside();
}

#include "runtime.hpp"

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <utility>

#include "runtime/capture.hpp"
#include "runtime/device_guard.hpp"
#include "runtime/fault.hpp"
#include "runtime/pool.hpp"

namespace percepts::bindings::devices {
namespace {

using cuda::check;
using cuda::DeviceGuard;
using cuda::Doing;

cudaStream_t native(Stream stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t native_event(void* event) { return static_cast<cudaEvent_t>(event); }

}  // namespace

Event::Event(int device) : device_(device) {
  const Doing doing{"making an event", device};
  const DeviceGuard guard(doing);
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), doing);
  event_ = event;
}

Event::~Event() {
  if (event_ != nullptr) static_cast<void>(cudaEventDestroy(native_event(event_)));
}

Event::Event(Event&& other) noexcept : device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(event_, other.event_);
  return *this;
}

void Event::record(Stream stream) {
  const Doing doing{"marking the end of work", device_};
  const DeviceGuard guard(doing);
  check(cudaEventRecord(native_event(event_), native(stream)), doing);
}

void Event::hold_back(Stream stream) const {
  const Doing doing{"putting streams in order", device_};
  const DeviceGuard guard(doing);
  check(cudaStreamWaitEvent(native(stream), native_event(event_)), doing);
}

bool Event::is_done() const {
  const Doing doing{"asking for the end of work", device_};
  const DeviceGuard guard(doing);
  const cuda::BesideCaptures beside;
  const cudaError_t result = cudaEventQuery(native_event(event_));
  if (result == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  check(result, doing);
  return true;
}

void Event::wait() const {
  const Doing doing{"waiting for the end of work", device_};
  const DeviceGuard guard(doing);
  const cuda::BesideCaptures beside;
  check(cudaEventSynchronize(native_event(event_)), doing);
}

Stream own_stream(int device) {
  static std::mutex& mutex = *new std::mutex;
  static std::map<int, Stream>& streams = *new std::map<int, Stream>;
  const std::lock_guard lock(mutex);
  Stream& stream = streams[device];
  if (stream == nullptr) stream = create_stream(device);
  return stream;
}

Stream create_stream(int device) {
  const Doing doing{"making a stream", device};
  const DeviceGuard guard(doing);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), doing);
  return stream;
}

void destroy_stream(int device, Stream stream) {
  const Doing doing{"giving a stream back", device};
  const DeviceGuard guard(doing);
  check(cudaStreamDestroy(native(stream)), doing);
}

void synchronize(int device, Stream stream) {
  const Doing doing{"waiting for a stream", device};
  const DeviceGuard guard(doing);
  check(cudaStreamSynchronize(native(stream)), doing);
}

bool is_capturing(int device, Stream stream) {
  const Doing doing{"asking whether a stream is being captured", device};
  const DeviceGuard guard(doing);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(native(stream), &status), doing);
  return status != cudaStreamCaptureStatusNone;
}

void put_in_order(int device, Stream earlier, Stream later) {
  Event event(device);
  event.record(earlier);
  event.hold_back(later);
}

void* allocate(int device, std::size_t bytes, Stream stream) {
  const Doing doing{"making room for results", device};
  const DeviceGuard guard(doing);
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, native(stream)), doing);
  return memory;
}

void release(int device, void* memory, Stream stream) {
  const Doing doing{"giving memory back", device};
  const DeviceGuard guard(doing);
  check(cudaFreeAsync(memory, native(stream)), doing);
}

std::shared_ptr<void> pinned_memory(int device, std::size_t bytes) {
  const Doing doing{"making room for results on the host", device};
  const DeviceGuard guard(doing);
  const auto buffer = std::make_shared<cuda::Buffer>(cuda::MemoryKind::pinned, bytes, doing);
  return {buffer, buffer->data()};
}

void copy_to_host(int device, void* to, const void* from, std::size_t bytes, Stream stream) {
  const Doing doing{"copying to the host", device};
  const DeviceGuard guard(doing);
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, native(stream)), doing);
}

void copy_to_device(int device, void* to, const void* from, std::size_t bytes, Stream stream) {
  const Doing doing{"copying to the device", device};
  const DeviceGuard guard(doing);
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, native(stream)), doing);
}

int device_of(const void* memory) {
  const Doing doing{"asking where memory is", 0};
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory), doing);
  return attributes.type == cudaMemoryTypeUnregistered ? -1 : attributes.device;
}

Graph::Graph(int device, Stream stream) : device_(device), stream_(stream) {}

Graph::~Graph() {
  if (executable_ != nullptr)
    static_cast<void>(cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(executable_)));
}

void Graph::begin() {
  const Doing doing{"beginning to capture", device_};
  const DeviceGuard guard(doing);
  check(cudaStreamBeginCapture(native(stream_), cudaStreamCaptureModeGlobal), doing);
}

void Graph::end() {
  const Doing doing{"capturing", device_};
  const DeviceGuard guard(doing);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(native(stream_), &graph), doing);
  cudaGraphExec_t executable = nullptr;
  const cudaError_t result = cudaGraphInstantiate(&executable, graph, 0);
  static_cast<void>(cudaGraphDestroy(graph));
  check(result, doing);
  executable_ = executable;
}

void Graph::launch() {
  const Doing doing{"launching a graph", device_};
  const DeviceGuard guard(doing);
  check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(executable_), native(stream_)), doing);
}

}  // namespace percepts::bindings::devices

#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "capture.hpp"
#include "emulation/control.hpp"
#include "memory.hpp"
#include "stream.hpp"

namespace percepts::cuda::emulation {

struct Device {
  CUstream_st legacy;
  std::map<std::thread::id, CUstream_st> per_thread;
  std::set<cudaStream_t> streams;         // what cudaStreamCreateWithFlags made
  std::vector<OperationPointer> orphans;  // work of streams that were destroyed
  cudaError_t error = cudaSuccess;        // once set, all calls fail with it
};

/// What captures think of a call.
enum class CallKind {
  plain,
  unsafe,  // refused wherever a capture goes on, unless that is relaxed
};

/// The state behind the API. Its functions expect that `mutex` is held; a kernel runs with it held, too.
class Runtime {
 public:
  static Runtime& instance();

  std::mutex mutex;
  Memory memory;
  Counters counters;
  int device_count = max_devices;
  int driver_version = runtime_version;

  Device& device(int index) { return devices_[static_cast<std::size_t>(index)]; }
  /// The error that this call must end with before it has begun.
  cudaError_t begin_call(const char* function, CallKind kind);
  void fail_call(std::string function, cudaError_t error, unsigned calls_before);
  void forget_errors();

  /// Null for what is no stream.
  cudaStream_t find_stream(cudaStream_t handle);
  std::set<cudaEvent_t> events;
  std::set<std::shared_ptr<Capture>> captures;
  std::set<cudaGraph_t> graphs;
  std::set<cudaGraphExec_t> executables;

  /// Puts work at the end of a stream, or into the graph that it captures.
  cudaError_t submit(CUstream_st& stream, std::function<cudaError_t()> work, bool is_kernel);
  /// Puts work at the end of a stream that captures nothing; it waits for `also_after`, too.
  OperationPointer enqueue(CUstream_st& stream, std::function<cudaError_t()> work,
                           const OperationPointer& also_after = nullptr);
  /// Why work may not enter this stream; a capture that must not go on is invalidated.
  cudaError_t check_capture(CUstream_st& stream);
  /// Whether host code may wait for this stream, or ask how far it is.
  cudaError_t check_wait(CUstream_st& stream);
  bool is_capturing(int device);
  bool is_capturing_blocking_stream(int device);
  void invalidate_captures(int device);
  void end_capture(const std::shared_ptr<Capture>& capture);

  /// Runs an operation and all that it waits for. The device's error, if it has one.
  cudaError_t complete(const OperationPointer& operation);
  cudaError_t complete_stream(CUstream_st& stream);
  cudaError_t complete_device(int device);
  /// What a query answers. Where there is work left, it does one piece of it: who asks again and again comes
  /// to an end.
  cudaError_t query(const OperationPointer& operation);

 private:
  struct PlannedFailure {
    std::string function;
    cudaError_t error;
    unsigned calls_before;
  };

  Runtime();
  template <class Use>
  void for_each_stream(int device, Use use);
  void run(Operation& operation);

  std::array<Device, max_devices> devices_;
  std::vector<PlannedFailure> failures_;
};

/// The current device of this OS thread.
int& current_device();
/// What cudaGetLastError returns in this OS thread.
cudaError_t& last_error();

/// The frame of every call: takes the lock, lets a planned failure or a device's error through, remembers
/// what failed.
template <class Body>
cudaError_t call(const char* function, CallKind kind, Body body) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  cudaError_t error = runtime.begin_call(function, kind);
  if (error == cudaSuccess) error = body(runtime);
  if (error != cudaSuccess) last_error() = error;
  return error;
}

}  // namespace percepts::cuda::emulation

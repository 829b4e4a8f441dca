#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "percepts/cuda.hpp"

// What the bindings need of CUDA beside the maps of percepts::cuda: memory for results, order between
// streams, graphs. Everything throws DeviceError for a fault; in a build without CUDA, runtime_stub.cpp does
// so always.

namespace percepts::bindings::devices {

using cuda::Stream;

/// A point in a stream's work.
class Event {
 public:
  explicit Event(int device);
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;

  void record(Stream stream);
  /// Work put on `stream` from now on waits for what was recorded.
  void hold_back(Stream stream) const;
  bool is_done() const;
  void wait() const;

 private:
  int device_;
  void* event_ = nullptr;
};

/// A stream of ours, one a device, made when it is first asked for and kept.
Stream own_stream(int device);

Stream create_stream(int device);
void destroy_stream(int device, Stream stream);
void synchronize(int device, Stream stream);
bool is_capturing(int device, Stream stream);

/// Work put on `later` from now on waits for all that is on `earlier` now.
void put_in_order(int device, Stream earlier, Stream later);

/// Memory in the order of a stream.
void* allocate(int device, std::size_t bytes, Stream stream);
void release(int device, void* memory, Stream stream);

/// Host memory of the pool that copies to it need not wait for. Whoever lets go of it has to know that they
/// are done.
std::shared_ptr<void> pinned_memory(int device, std::size_t bytes);

void copy_to_host(int device, void* to, const void* from, std::size_t bytes, Stream stream);
void copy_to_device(int device, void* to, const void* from, std::size_t bytes, Stream stream);

/// The device whose memory this is.
int device_of(const void* memory);

/// A graph of what was put on a stream between begin() and end().
class Graph {
 public:
  Graph(int device, Stream stream);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void begin();
  void end();
  void launch();

 private:
  int device_;
  Stream stream_;
  void* executable_ = nullptr;
};

}  // namespace percepts::bindings::devices

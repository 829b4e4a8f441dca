#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/fault.hpp"

// Memory and events that plans borrow: what one has given back is the next one's, so that a plan made for one
// call costs no allocation. Threads may share the pool.

namespace percepts::cuda {

enum class MemoryKind : std::uint8_t {
  device,
  pinned,  ///< of the host, for copies that do not wait
  zeroed,  ///< of the device: zero when borrowed unless new, and to be zero when given back
};

/// A piece of memory of the pool. Whoever borrowed it gives it back idle: no work on it is under way.
class Buffer {
 public:
  /// The doing's device is the current one. Throws DeviceError when there is no memory.
  Buffer(MemoryKind kind, std::size_t bytes, const Doing& doing);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  /// Leaves the memory to work that may go on, such as that of a graph: it is nobody else's from now on.
  void leave();

  /// Whether zeroed memory is still to be zeroed, on the stream that uses it: nobody waits for that.
  bool is_to_be_zeroed() const { return !is_zero_; }
  void was_zeroed() { is_zero_ = true; }

 private:
  MemoryKind kind_;
  bool is_zero_ = true;
  int device_;
  std::size_t bytes_;
  std::byte* data_;
};

/// An event of the pool, without timing.
class Event {
 public:
  explicit Event(const Doing& doing);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  cudaEvent_t get() const { return event_; }

 private:
  int device_;
  cudaEvent_t event_ = nullptr;
};

}  // namespace percepts::cuda

#pragma once

#include <cstdint>
#include <memory>

#include "runtime.hpp"

namespace percepts::bindings::devices {

/// A stream that goes back when nobody holds it: neither Python, nor memory that was made on it.
class OwnedStream {
 public:
  static std::shared_ptr<OwnedStream> make(int device);

  /// The owner of a stream; null where it is not one of these.
  static std::shared_ptr<OwnedStream> owner_of(Stream stream);

  ~OwnedStream();
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(stream_); }
  int device() const { return device_; }
  void wait() const { synchronize(device_, stream_); }

 private:
  explicit OwnedStream(int device);

  int device_;
  Stream stream_;
};

}  // namespace percepts::bindings::devices

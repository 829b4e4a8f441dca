#include "owned_stream.hpp"

#include <exception>
#include <map>
#include <mutex>

namespace percepts::bindings::devices {
namespace {

/// Streams that are held, by their handles. Never destroyed: memory may go after it.
struct Owners {
  std::mutex mutex;
  std::map<Stream, std::weak_ptr<OwnedStream>> of;
};

Owners& owners() {
  static auto& instance = *new Owners;
  return instance;
}

}  // namespace

OwnedStream::OwnedStream(int device) : device_(device), stream_(create_stream(device)) {}

std::shared_ptr<OwnedStream> OwnedStream::make(int device) {
  std::shared_ptr<OwnedStream> owned(new OwnedStream(device));
  const std::lock_guard lock(owners().mutex);
  owners().of[owned->stream_] = owned;
  return owned;
}

std::shared_ptr<OwnedStream> OwnedStream::owner_of(Stream stream) {
  const std::lock_guard lock(owners().mutex);
  const auto found = owners().of.find(stream);
  return found == owners().of.end() ? nullptr : found->second.lock();
}

OwnedStream::~OwnedStream() {
  {
    // Before the stream goes back, as another one may get its handle then.
    const std::lock_guard lock(owners().mutex);
    owners().of.erase(stream_);
  }
  try {
    destroy_stream(device_, stream_);
  } catch (const std::exception&) {  // the device is lost, and its streams with it
  }
}

}  // namespace percepts::bindings::devices

#include "percepts/error.hpp"
#include "runtime.hpp"

namespace percepts::bindings::devices {
namespace {

[[noreturn]] void fail() { throw DeviceError("", cuda::why_unavailable()); }

}  // namespace

Event::Event(int device) : device_(device) { fail(); }
Event::~Event() = default;
Event::Event(Event&& other) noexcept : device_(other.device_) {}
Event& Event::operator=(Event&& other) noexcept {
  device_ = other.device_;
  return *this;
}
void Event::record(Stream) { fail(); }
void Event::hold_back(Stream) const { fail(); }
bool Event::is_done() const { fail(); }
void Event::wait() const { fail(); }

Stream own_stream(int) { fail(); }
Stream create_stream(int) { fail(); }
void destroy_stream(int, Stream) { fail(); }
void synchronize(int, Stream) { fail(); }
bool is_capturing(int, Stream) { fail(); }
void put_in_order(int, Stream, Stream) { fail(); }
void* allocate(int, std::size_t, Stream) { fail(); }
void release(int, void*, Stream) { fail(); }
std::shared_ptr<void> pinned_memory(int, std::size_t) { fail(); }
void copy_to_host(int, void*, const void*, std::size_t, Stream) { fail(); }
void copy_to_device(int, void*, const void*, std::size_t, Stream) { fail(); }
int device_of(const void*) { fail(); }

Graph::Graph(int device, Stream stream) : device_(device), stream_(stream) { fail(); }
Graph::~Graph() = default;
void Graph::begin() { fail(); }
void Graph::end() { fail(); }
void Graph::launch() { fail(); }

}  // namespace percepts::bindings::devices

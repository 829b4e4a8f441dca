#include "runtime/pool.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/capture.hpp"

namespace percepts::cuda {
namespace {

constexpr std::size_t least_bytes = 512;
/// Of one kind on one device; what is given back beyond that is freed.
constexpr std::size_t most_idle_bytes = std::size_t{64} << 20;
constexpr std::size_t most_idle_events = 64;

void release(MemoryKind kind, void* memory) {
  const BesideCaptures beside;
  static_cast<void>(kind == MemoryKind::pinned ? cudaFreeHost(memory) : cudaFree(memory));
}

cudaError_t allocate(MemoryKind kind, std::size_t bytes, void** memory) {
  const BesideCaptures beside;
  if (kind == MemoryKind::pinned) return cudaHostAlloc(memory, bytes, cudaHostAllocPortable);
  return cudaMalloc(memory, bytes);
}

class Pool {
 public:
  /// Idle memory of this size, or null.
  void* take(MemoryKind kind, int device, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = idle_.find({device, kind, bytes});
    if (found == idle_.end() || found->second.empty()) return nullptr;
    void* const memory = found->second.back();
    found->second.pop_back();
    idle_bytes_[{device, kind}] -= bytes;
    return memory;
  }

  /// Whether it is kept; else the caller has to free it.
  bool keep(MemoryKind kind, int device, std::size_t bytes, void* memory) {
    const std::lock_guard lock(mutex_);
    std::size_t& idle = idle_bytes_[{device, kind}];
    if (idle + bytes > most_idle_bytes) return false;
    idle_[{device, kind, bytes}].push_back(memory);
    idle += bytes;
    return true;
  }

  /// All idle memory of a kind on a device, for others to have.
  std::vector<void*> take_all(MemoryKind kind, int device) {
    const std::lock_guard lock(mutex_);
    std::vector<void*> all;
    for (auto& [key, pieces] : idle_) {
      if (std::get<0>(key) != device || std::get<1>(key) != kind) continue;
      all.insert(all.end(), pieces.begin(), pieces.end());
      pieces.clear();
    }
    idle_bytes_[{device, kind}] = 0;
    return all;
  }

  void leave(void* memory) {
    const std::lock_guard lock(mutex_);
    left_.push_back(memory);
  }

  cudaEvent_t take_event(int device) {
    const std::lock_guard lock(mutex_);
    std::vector<cudaEvent_t>& events = events_[device];
    if (events.empty()) return nullptr;
    const cudaEvent_t event = events.back();
    events.pop_back();
    return event;
  }

  bool keep_event(int device, cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    std::vector<cudaEvent_t>& events = events_[device];
    if (events.size() >= most_idle_events) return false;
    events.push_back(event);
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<int, MemoryKind, std::size_t>, std::vector<void*>> idle_;
  std::map<std::pair<int, MemoryKind>, std::size_t> idle_bytes_;
  std::map<int, std::vector<cudaEvent_t>> events_;
  std::vector<void*> left_;  ///< never freed
};

/// Never destroyed: when the process ends, CUDA may be gone before it.
Pool& pool() {
  static Pool& instance = *new Pool;
  return instance;
}

}  // namespace

Buffer::Buffer(MemoryKind kind, std::size_t bytes, const Doing& doing)
    : kind_(kind),
      device_(doing.device),
      bytes_(std::max(least_bytes, std::bit_ceil(bytes))),
      data_(nullptr) {
  void* memory = pool().take(kind, device_, bytes_);
  if (memory == nullptr) {
    is_zero_ = false;
    cudaError_t result = allocate(kind, bytes_, &memory);
    if (result == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      for (void* const idle : pool().take_all(kind, device_)) release(kind, idle);
      result = allocate(kind, bytes_, &memory);
    }
    check(result, doing);
  }
  data_ = static_cast<std::byte*>(memory);
}

Buffer::~Buffer() {
  if (data_ == nullptr) return;
  const bool is_as_it_should_be = kind_ != MemoryKind::zeroed || is_zero_;
  if (!is_as_it_should_be || !pool().keep(kind_, device_, bytes_, data_)) release(kind_, data_);
}

void Buffer::leave() {
  if (data_ != nullptr) pool().leave(std::exchange(data_, nullptr));
}

Event::Event(const Doing& doing) : device_(doing.device), event_(pool().take_event(doing.device)) {
  if (event_ == nullptr) check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), doing);
}

Event::~Event() {
  if (!pool().keep_event(device_, event_)) static_cast<void>(cudaEventDestroy(event_));
}

}  // namespace percepts::cuda

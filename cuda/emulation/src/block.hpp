#pragma once

#include <cstdint>
#include <mutex>
#include <source_location>
#include <string>

#include "emulation/device_api.hpp"
#include "emulation/submit.hpp"
#include "sanitizers.hpp"
#include "shared_buffer.hpp"

namespace percepts::cuda::emulation {

class Block;

/// What a thread does together with other lanes of its warp.
struct WarpPart {
  WarpAction action = WarpAction::synchronize;
  unsigned mask = 0;
  std::uint64_t value = 0;
  int operand = 0;
  int width = 32;
};

enum class ThreadState { ready, at_barrier, in_warp, finished };

struct Thread {
  Block* block = nullptr;
  unsigned index = 0;
  ThreadState state = ThreadState::ready;
  WarpPart part;
  std::uint64_t result = 0;
  std::source_location where;
  char order = 0;  // an address to order lanes by

  unsigned lane() const { return index % 32; }
  unsigned warp() const { return index / 32; }
};

/// One CUDA block: how its threads wait for each other. How they run is up to the classes derived from it.
class Block {
 public:
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  /// Orders what the calling thread did before all blocks that begin here from now on.
  void order_before_begin() { release_order(&begin_order_); }
  /// Orders all blocks that ended here before what the calling thread will do.
  void order_after_end() { acquire_order(&end_order_); }

  void wait_for_all(Thread& thread, const std::source_location& where);
  std::uint64_t act_with_warp(Thread& thread, const WarpPart& part, const std::source_location& where);
  void* shared_memory() { return shared_.data(); }

 protected:
  static constexpr unsigned max_threads = 1024;
  static constexpr unsigned max_warps = max_threads / 32;

  Block() = default;

  void begin(const KernelCall& call, unsigned index);
  void end();
  /// Runs the kernel for one thread, on whatever it runs on.
  void run_thread(Thread& thread);
  /// Makes the device's variables those of this thread; every switch to another thread needs it.
  void show_thread(Thread& thread) const;
  static void show_no_thread();
  /// No thread can go on: says why.
  [[noreturn]] void report_stuck() const;

  /// Returns when the thread is ready.
  virtual void pause(Thread& thread) = 0;
  /// Held while threads look at each other's states.
  virtual std::unique_lock<std::mutex> lock() = 0;
  /// The states of some threads have become ready.
  virtual void wake() {}

  Thread* threads() { return threads_; }
  const Thread* threads() const { return threads_; }
  unsigned size() const { return size_; }
  unsigned warps() const { return (size_ + 31) / 32; }
  bool all_finished() const { return finished_ == size_; }

 private:
  struct Warp {
    unsigned waiting = 0;   // lanes that wait for others
    unsigned finished = 0;  // lanes that have left the kernel
    bool phase = false;     // which of two addresses orders the lanes
    char order[2] = {};
  };

  unsigned lanes(unsigned warp) const;
  void check_part(const Thread& thread) const;
  bool orders_whole_warp(const WarpPart& part, unsigned warp) const;
  void acquire_order_of_lanes(unsigned warp, unsigned mask);
  void complete_warp(unsigned warp, const WarpPart& part);
  std::uint64_t warp_result(const Thread* lanes_of_warp, unsigned lane, const WarpPart& part) const;
  std::string describe(const Thread& thread) const;
  [[noreturn]] void fault_in(const Thread& thread, const std::string& what) const;

  const KernelCall* call_ = nullptr;
  unsigned index_ = 0;
  unsigned size_ = 0;
  unsigned finished_ = 0;
  unsigned at_barrier_ = 0;
  unsigned first_at_barrier_ = 0;
  bool barrier_phase_ = false;
  // Two addresses in turn: a thread that already waits at the next barrier must not order those that leave
  // this one.
  char barrier_order_[2] = {};
  char begin_order_ = 0;
  char end_order_ = 0;
  Thread threads_[max_threads];
  Warp warps_[max_warps];
  SharedBuffer shared_;
};

/// The emulated thread that runs on this OS thread; null in host code.
Thread* current_thread();

}  // namespace percepts::cuda::emulation

#include "kernel_runner.hpp"

#include "emulation/control.hpp"
#include "fault.hpp"
#include "fiber_block.hpp"
#include "os_thread_block.hpp"
#include "sanitizers.hpp"

#if PERCEPTS_THREAD_SANITIZER
#include <array>

#include "hidden_worker.hpp"
#endif

namespace percepts::cuda::emulation {
namespace {

bool os_threads = false;

// Every other launch begins with its last block, so that no kernel relies on an order.
class BlockOrder {
 public:
  explicit BlockOrder(unsigned grid) : grid_(grid), backwards_(next_is_backwards_) {
    next_is_backwards_ = !next_is_backwards_;
  }
  unsigned block(unsigned step) const { return backwards_ ? grid_ - 1 - step : step; }

 private:
  inline static bool next_is_backwards_ = false;
  unsigned grid_;
  bool backwards_;
};

#if PERCEPTS_THREAD_SANITIZER

// Blocks that follow each other share no threads, so that nothing orders them but fences, and no shared
// memory.
struct Place {
  FiberBlock block;
  HiddenWorker worker;
};

struct BlockJob {
  FiberBlock* block;
  const KernelCall* call;
  unsigned index;
};

void run_block(void* job) {
  const auto& [block, call, index] = *static_cast<const BlockJob*>(job);
  block->run(*call, index);
}

void run_as_fibers(const KernelCall& call, const BlockOrder& order) {
  constexpr unsigned places_count = 2;
  static auto& places = *new std::array<Place, places_count>;
  for (Place& place : places) place.block.order_before_begin();
  for (unsigned step = 0; step < call.grid; ++step) {
    Place& place = places[step % places_count];
    BlockJob job{.block = &place.block, .call = &call, .index = order.block(step)};
    place.worker.run(run_block, &job);
  }
  for (Place& place : places) place.block.order_after_end();
}

#else

void run_as_fibers(const KernelCall& call, const BlockOrder& order) {
  static auto& block = *new FiberBlock;
  for (unsigned step = 0; step < call.grid; ++step) block.run(call, order.block(step));
}

#endif

}  // namespace

void run_on_os_threads(bool wanted) {
#if PERCEPTS_THREAD_SANITIZER
  if (wanted) fault("under the thread sanitizer, blocks run as fibers only");
#endif
  os_threads = wanted;
}

void run_kernel(const KernelCall& call) {
  const BlockOrder order(call.grid);
  if (os_threads) {
    for (unsigned step = 0; step < call.grid; ++step) OsThreadBlock().run(call, order.block(step));
  } else {
    run_as_fibers(call, order);
  }
}

}  // namespace percepts::cuda::emulation

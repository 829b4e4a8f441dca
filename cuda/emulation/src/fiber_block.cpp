#include "fiber_block.hpp"

#include <algorithm>

namespace percepts::cuda::emulation {

void FiberBlock::enter(void* thread) {
  auto& self = *static_cast<Thread*>(thread);
  static_cast<FiberBlock*>(self.block)->run_thread(self);
}

void FiberBlock::run(const KernelCall& call, unsigned index) {
  for (unsigned i = 0; i < call.block; ++i) {
    if (!fibers_[i]) fibers_[i] = std::make_unique<Fiber>(&FiberBlock::enter, threads() + i);
  }
  begin(call, index);
  while (!all_finished()) {
    progress_ = false;
    // Every other block goes through its warps backwards, so that no kernel relies on an order.
    for (unsigned i = 0; i < warps(); ++i) run_warp(index % 2 == 0 ? i : warps() - 1 - i);
    if (!progress_) report_stuck();
  }
  end();
}

// As far as the warp gets without the others.
void FiberBlock::run_warp(unsigned warp) {
  const unsigned first = 32 * warp;
  const unsigned last = std::min(first + 32, size());
  for (bool advanced = true; advanced;) {
    advanced = false;
    for (unsigned i = first; i < last; ++i) {
      Thread& thread = threads()[i];
      if (thread.state != ThreadState::ready) continue;
      show_thread(thread);
      fibers_[i]->resume();
      show_no_thread();
      advanced = progress_ = true;
    }
  }
}

void FiberBlock::pause(Thread& thread) { fibers_[thread.index]->suspend(); }

}  // namespace percepts::cuda::emulation

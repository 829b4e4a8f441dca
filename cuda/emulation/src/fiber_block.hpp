#pragma once

#include <memory>

#include "block.hpp"
#include "fiber.hpp"

namespace percepts::cuda::emulation {

/// Runs blocks one after another, each thread as a fiber. Fibers are kept for the next block.
class FiberBlock final : public Block {
 public:
  void run(const KernelCall& call, unsigned index);

 private:
  static void enter(void* thread);
  void run_warp(unsigned warp);
  void pause(Thread& thread) override;
  std::unique_lock<std::mutex> lock() override { return {}; }

  bool progress_ = false;
  std::unique_ptr<Fiber> fibers_[max_threads];
};

}  // namespace percepts::cuda::emulation

#pragma once

#include <condition_variable>

#include "block.hpp"

namespace percepts::cuda::emulation {

/// Runs one block, each thread on an OS thread: slow, but in an order that nobody has chosen.
class OsThreadBlock final : public Block {
 public:
  void run(const KernelCall& call, unsigned index);

 private:
  void pause(Thread& thread) override;
  std::unique_lock<std::mutex> lock() override { return std::unique_lock(mutex_); }
  void wake() override { changed_.notify_all(); }
  void check_for_progress() const;

  std::mutex mutex_;
  std::condition_variable_any changed_;
};

}  // namespace percepts::cuda::emulation

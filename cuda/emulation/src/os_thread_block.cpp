#include "os_thread_block.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace percepts::cuda::emulation {

void OsThreadBlock::run(const KernelCall& call, unsigned index) {
  begin(call, index);
  std::vector<std::thread> running;
  running.reserve(size());
  for (unsigned i = 0; i < size(); ++i) {
    running.emplace_back([this, &thread = threads()[i]] {
      show_thread(thread);
      run_thread(thread);
      const auto guard = lock();
      check_for_progress();
    });
  }
  for (std::thread& thread : running) thread.join();
  end();
}

void OsThreadBlock::pause(Thread& thread) {
  check_for_progress();
  changed_.wait(mutex_, [&thread] { return thread.state == ThreadState::ready; });
}

void OsThreadBlock::check_for_progress() const {
  const Thread* const begin = threads();
  const bool none_ready = std::none_of(
      begin, begin + size(), [](const Thread& thread) { return thread.state == ThreadState::ready; });
  if (none_ready && !all_finished()) report_stuck();
}

}  // namespace percepts::cuda::emulation

#pragma once

#include <functional>

namespace percepts::cuda::emulation {

/// An OS thread that runs jobs while its caller waits. The thread sanitizer does not see that one waits for
/// the other, so that their accesses stay unordered.
class HiddenWorker {
 public:
  HiddenWorker();
  HiddenWorker(const HiddenWorker&) = delete;
  HiddenWorker& operator=(const HiddenWorker&) = delete;

  void run(const std::function<void()>& job);

 private:
  [[noreturn]] void serve();

  const std::function<void()>* job_ = nullptr;
  int busy_ = 0;
};

}  // namespace percepts::cuda::emulation

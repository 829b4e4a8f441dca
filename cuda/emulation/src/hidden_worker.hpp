#pragma once

namespace percepts::cuda::emulation {

/// An OS thread that runs jobs while its caller waits. The thread sanitizer does not see that one waits for
/// the other, so that their accesses stay unordered.
class HiddenWorker {
 public:
  HiddenWorker();
  HiddenWorker(const HiddenWorker&) = delete;
  HiddenWorker& operator=(const HiddenWorker&) = delete;

  using Job = void (*)(void* argument);
  void run(Job job, void* argument);

 private:
  [[noreturn]] void serve();

  Job job_ = nullptr;
  void* argument_ = nullptr;
  int busy_ = 0;
};

}  // namespace percepts::cuda::emulation

#include "hidden_worker.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

// This source is compiled without instrumentation, and `syscall` is nothing that the thread sanitizer
// intercepts.

namespace percepts::cuda::emulation {
namespace {

void wait_while(int* word, int value) {
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
  }
}

void store(int* word, int value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

HiddenWorker::HiddenWorker() {
  std::thread([this] { serve(); }).detach();
}

void HiddenWorker::run(Job job, void* argument) {
  job_ = job;
  argument_ = argument;
  store(&busy_, 1);
  wait_while(&busy_, 1);
}

void HiddenWorker::serve() {
  for (;;) {
    wait_while(&busy_, 0);
    job_(argument_);
    store(&busy_, 0);
  }
}

}  // namespace percepts::cuda::emulation

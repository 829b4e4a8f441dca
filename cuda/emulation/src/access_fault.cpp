#include "access_fault.hpp"

#include <signal.h>

#include <cstdio>

#include "block.hpp"
#include "runtime.hpp"
#include "sanitizers.hpp"

namespace percepts::cuda::emulation {

#if PERCEPTS_ADDRESS_SANITIZER || PERCEPTS_THREAD_SANITIZER

void explain_access_faults() {}

#else

namespace {

struct sigaction previous_action;

// Without the lock, which this thread may hold: the program ends anyway.
void explain(int, siginfo_t* info, void*) {
  const char* const who = current_thread() != nullptr ? "a kernel" : "host code";
  const std::string what = Runtime::instance().memory.describe(info->si_addr);
  if (!what.empty()) std::fprintf(stderr, "CUDA emulation: %s touches %s\n", who, what.c_str());
  sigaction(SIGSEGV, &previous_action,
            nullptr);  // returning repeats the access, and now ends in what was there before
}

}  // namespace

void explain_access_faults() {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_sigaction = explain;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGSEGV, &action, &previous_action) == 0;
  }();
  static_cast<void>(installed);
}

#endif

}  // namespace percepts::cuda::emulation

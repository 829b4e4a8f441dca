#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <memory>
#include <thread>

#ifdef __GLIBC__
#include <pthread.h>
#endif

// While the interpreter ends, Python below 3.14 ends daemon threads that ask for its lock by pthread_exit,
// which unwinds their stacks. Where Python runs below C++, destructors on the way would drop Python's objects
// without the lock, and those that let nothing through end the process. Such a thread stays where it is
// instead, as from Python 3.14 on, and goes with the process.

#if defined(__GLIBC__) && PY_VERSION_HEX < 0x030E0000
extern "C" [[gnu::weak]] void _pthread_cleanup_push(_pthread_cleanup_buffer* buffer, void (*routine)(void*),
                                                    void* argument);
#endif

namespace percepts::bindings {

[[noreturn]] inline void stay() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// From now on this thread stays where it is when Python ends it.
inline void stay_when_python_ends() {
#if defined(__GLIBC__) && PY_VERSION_HEX < 0x030E0000
  // glibc runs a handler before it unwinds the frame that its buffer is in, and one whose buffer is on no
  // stack before all frames.
  static thread_local std::unique_ptr<_pthread_cleanup_buffer> buffer;
  if (buffer != nullptr || _pthread_cleanup_push == nullptr) return;
  buffer = std::make_unique<_pthread_cleanup_buffer>();
  const auto handler = [](void*) {
#if PY_VERSION_HEX >= 0x030D0000
    if (Py_IsFinalizing() != 0) stay();
#else
    if (_Py_IsFinalizing() != 0) stay();
#endif
  };
  _pthread_cleanup_push(buffer.get(), handler, nullptr);
#endif
}

}  // namespace percepts::bindings

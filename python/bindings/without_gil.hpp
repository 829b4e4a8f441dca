#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <thread>

// Python's lock, given back and taken again. While the interpreter ends, Python below 3.14 ends daemon
// threads that ask for the lock by unwinding their stacks. pybind11's classes of this purpose ask in a
// destructor, which no unwinding may leave, and other destructors on the way would touch Python's objects
// without the lock. Such a thread stays where it is instead, as from Python 3.14 on, and goes with the
// process.

namespace percepts::bindings {

/// What `take`, which asks for Python's lock, returns; never where the interpreter ends. Python throws
/// nothing: what arrives here is the unwinding, for which there is no object to name.
template <class Take>
auto with_lock_taken(Take take) {
  try {
    return take();
  } catch (...) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

/// Lets other threads run Python meanwhile.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    with_lock_taken([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

/// Lets a thread that gave the lock back, or never had it, run Python meanwhile.
class WithGil {
 public:
  WithGil() : state_(with_lock_taken([] { return PyGILState_Ensure(); })) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace percepts::bindings

#pragma once

#include <pybind11/pybind11.h>

#include "ending_threads.hpp"

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

// Python's lock, given back and taken again. pybind11's classes of this purpose ask for it in a destructor,
// which the unwinding of a thread that Python ends may not leave.

namespace percepts::bindings {

/// What `take`, which asks for Python's lock, returns; never where the interpreter ends.
template <class Take>
auto with_lock_taken(Take take) {
#ifdef __GLIBCXX__
  try {
    return take();
  } catch (abi::__forced_unwind&) {
    stay();
  }
#else
  return take();
#endif
}

/// Lets other threads run Python meanwhile.
class WithoutGil {
 public:
  WithoutGil() {
    stay_when_python_ends();
    state_ = PyEval_SaveThread();
  }
  ~WithoutGil() {
    with_lock_taken([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_ = nullptr;
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

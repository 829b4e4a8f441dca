#pragma once

#include <memory>
#include <vector>

#include "../view.hpp"
#include "runtime.hpp"

// What work on a device reads lives until the work is done, whoever drops it: nothing waits for that, and
// later calls look what has become of it. All of it with Python's lock held.

namespace percepts::bindings::devices {

/// Work under way, and whatever has to outlive it.
class Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  virtual bool is_done() = 0;
  virtual void wait() = 0;
};

/// Keeps the work until it is done.
void keep(std::shared_ptr<Work> work);

/// Keeps these objects until all that is on the stream now is done. Not where that is being captured: what a
/// graph reads is the caller's to keep, as for the caller's own work in it.
void keep(int device, Stream stream, std::vector<py::object> owners);

/// Lets go of what is done.
void let_go();

/// Waits for everything that is kept, and lets go of it.
void finish();

}  // namespace percepts::bindings::devices

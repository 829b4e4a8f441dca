#pragma once

#include "runtime/fault.hpp"

namespace percepts::cuda {

/// Makes a device the current one for as long as this lives.
class DeviceGuard {
 public:
  explicit DeviceGuard(const Doing& doing) {
    check_first(cudaGetDevice(&before_), doing);
    changed_ = doing.device != before_;
    if (changed_) check_first(cudaSetDevice(doing.device), doing);
  }
  ~DeviceGuard() {
    if (changed_) static_cast<void>(cudaSetDevice(before_));
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace percepts::cuda

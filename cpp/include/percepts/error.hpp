#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace percepts {

/// An argument does not meet its requirement. The message states the requirement and the value received, in
/// the words of the Python API, whatever the caller's language or the array's device.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A text is not a perception program. The message names the line, counted from 1.
class ParseError : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// CUDA reports a fault, or there is no CUDA to do what is asked. The message has CUDA's own name of the
/// fault and says what was being done.
class DeviceError : public std::runtime_error {
 public:
  DeviceError(std::string name, const std::string& message)
      : std::runtime_error(message), name_(std::move(name)) {}

  /// CUDA's name of the fault, such as "cudaErrorIllegalAddress"; empty where no call has failed.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace percepts

#pragma once

#include <stdexcept>

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

}  // namespace percepts

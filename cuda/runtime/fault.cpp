#include "runtime/fault.hpp"

#include "percepts/cuda.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts::cuda {
namespace {

std::string named(cudaError_t fault) {
  return message(cudaGetErrorName(fault), " (", cudaGetErrorString(fault), ")");
}

/// After these every call fails in the same way until the process ends.
bool is_sticky(cudaError_t fault) {
  switch (fault) {
    case cudaErrorECCUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

[[noreturn]] void fail_left(cudaError_t fault, const Doing& doing) {
  static_cast<void>(cudaGetLastError());
  throw DeviceError(cudaGetErrorName(fault), message(named(fault), " was left by earlier work, found before ",
                                                     doing.what, " on cuda:", doing.device));
}

/// What a user can do about it; empty where the name says all.
std::string advice(cudaError_t fault) {
  if (fault == cudaErrorInsufficientDriver || fault == cudaErrorNoDevice) return ": " + why_unavailable();
  if (fault != cudaErrorNoKernelImageForDevice) return {};
  std::string text = ": this build has machine code for compute capabilities";
  const char* separator = " ";
  for (const std::int32_t architecture : architectures()) {
    text += message(separator, architecture / 10, ".", architecture % 10);
    separator = ", ";
  }
  return text;
}

}  // namespace

void fail(cudaError_t fault, const Doing& doing) {
  static_cast<void>(cudaGetLastError());
  throw DeviceError(cudaGetErrorName(fault),
                    message(named(fault), " while ", doing.what, " on cuda:", doing.device, advice(fault)));
}

void check_first(cudaError_t result, const Doing& doing) {
  if (is_sticky(result)) fail_left(result, doing);
  check(result, doing);
}

void check_nothing_left(const Doing& doing) {
  const cudaError_t left = cudaPeekAtLastError();
  if (left == cudaSuccess) return;
  // Without a driver or a device the very first call says so: nobody has left that.
  if (left == cudaErrorInsufficientDriver || left == cudaErrorNoDevice) fail(left, doing);
  fail_left(left, doing);
}

}  // namespace percepts::cuda

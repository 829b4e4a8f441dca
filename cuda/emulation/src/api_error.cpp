#include "runtime.hpp"

namespace {

using namespace percepts::cuda::emulation;

struct ErrorText {
  const char* name;
  const char* text;
};

#define PERCEPTS_ERROR(error, text) \
  case error:                       \
    return { #error, text }

ErrorText text_of(cudaError_t error) {
  switch (error) {
    PERCEPTS_ERROR(cudaSuccess, "no error");
    PERCEPTS_ERROR(cudaErrorInvalidValue, "invalid argument");
    PERCEPTS_ERROR(cudaErrorMemoryAllocation, "out of memory");
    PERCEPTS_ERROR(cudaErrorInitializationError, "initialization error");
    PERCEPTS_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument");
    PERCEPTS_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy");
    PERCEPTS_ERROR(cudaErrorInsufficientDriver,
                   "CUDA driver version is insufficient for CUDA runtime version");
    PERCEPTS_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function");
    PERCEPTS_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected");
    PERCEPTS_ERROR(cudaErrorInvalidDevice, "invalid device ordinal");
    PERCEPTS_ERROR(cudaErrorNoKernelImageForDevice,
                   "no kernel image is available for execution on the device");
    PERCEPTS_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered");
    PERCEPTS_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle");
    PERCEPTS_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state");
    PERCEPTS_ERROR(cudaErrorNotReady, "device not ready");
    PERCEPTS_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered");
    PERCEPTS_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch");
    PERCEPTS_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated");
    PERCEPTS_ERROR(cudaErrorAssert, "device-side assert triggered");
    PERCEPTS_ERROR(cudaErrorHardwareStackError, "hardware stack error");
    PERCEPTS_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered");
    PERCEPTS_ERROR(cudaErrorMisalignedAddress, "misaligned address");
    PERCEPTS_ERROR(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space");
    PERCEPTS_ERROR(cudaErrorInvalidPc, "invalid program counter");
    PERCEPTS_ERROR(cudaErrorLaunchFailure, "unspecified launch failure");
    PERCEPTS_ERROR(cudaErrorNotSupported, "operation not supported");
    PERCEPTS_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing");
    PERCEPTS_ERROR(cudaErrorStreamCaptureInvalidated,
                   "operation failed due to a previous error during capture");
    PERCEPTS_ERROR(cudaErrorStreamCaptureMerge,
                   "operation would result in a merge of separate capture sequences");
    PERCEPTS_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began");
    PERCEPTS_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work");
    PERCEPTS_ERROR(cudaErrorStreamCaptureIsolation,
                   "dependency created on uncaptured work in another stream");
    PERCEPTS_ERROR(cudaErrorStreamCaptureImplicit,
                   "operation would make the legacy stream depend on a capturing blocking stream");
    PERCEPTS_ERROR(cudaErrorCapturedEvent,
                   "operation not permitted on an event last recorded in a capturing stream");
    PERCEPTS_ERROR(cudaErrorStreamCaptureWrongThread,
                   "attempt to terminate a thread-local capture sequence from another thread");
    PERCEPTS_ERROR(cudaErrorUnknown, "unknown error");
  }
  return {"cudaErrorUnknown", "unrecognized error code"};
}

// What cudaGetLastError returns; a device's own error stays.
cudaError_t current_error(bool forget) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  const cudaError_t of_device = runtime.device(current_device()).error;
  const cudaError_t error = of_device != cudaSuccess ? of_device : last_error();
  if (forget) last_error() = cudaSuccess;
  return error;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return text_of(error).name; }

const char* cudaGetErrorString(cudaError_t error) { return text_of(error).text; }

cudaError_t cudaGetLastError() { return current_error(true); }

cudaError_t cudaPeekAtLastError() { return current_error(false); }

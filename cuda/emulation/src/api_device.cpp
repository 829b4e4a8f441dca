#include <cstdio>

#include "runtime.hpp"

using namespace percepts::cuda::emulation;

namespace {

constexpr int multiprocessors = 4;
constexpr int capability_major = 8;
constexpr int capability_minor = 0;
constexpr int max_threads = 1024;
constexpr int max_shared_bytes = 48 << 10;

bool is_device(const Runtime& runtime, int device) { return device >= 0 && device < runtime.device_count; }

}  // namespace

cudaError_t cudaDriverGetVersion(int* version) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.mutex);
  *version = runtime.driver_version;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = runtime_version;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  return call("cudaGetDeviceCount", CallKind::plain, [&](Runtime& runtime) {
    *count = runtime.device_count;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call("cudaGetDevice", CallKind::plain, [&](Runtime&) {
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call("cudaSetDevice", CallKind::plain, [&](Runtime& runtime) {
    if (!is_device(runtime, device)) return cudaErrorInvalidDevice;
    current_device() = device;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call("cudaDeviceGetAttribute", CallKind::plain, [&](Runtime& runtime) {
    if (!is_device(runtime, device)) return cudaErrorInvalidDevice;
    switch (attribute) {
      case cudaDevAttrMaxThreadsPerBlock:
        *value = max_threads;
        return cudaSuccess;
      case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = max_shared_bytes;
        return cudaSuccess;
      case cudaDevAttrMultiProcessorCount:
        *value = multiprocessors;
        return cudaSuccess;
      case cudaDevAttrComputeCapabilityMajor:
        *value = capability_major;
        return cudaSuccess;
      case cudaDevAttrComputeCapabilityMinor:
        *value = capability_minor;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call("cudaGetDeviceProperties", CallKind::plain, [&](Runtime& runtime) {
    if (!is_device(runtime, device)) return cudaErrorInvalidDevice;
    *properties = {.name = {},
                   .totalGlobalMem = std::size_t{8} << 30,
                   .sharedMemPerBlock = max_shared_bytes,
                   .warpSize = 32,
                   .maxThreadsPerBlock = max_threads,
                   .major = capability_major,
                   .minor = capability_minor,
                   .multiProcessorCount = multiprocessors};
    std::snprintf(properties->name, sizeof properties->name, "Emulated device %d", device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", CallKind::unsafe, [](Runtime& runtime) {
    ++runtime.counters.synchronizations;
    const int device = current_device();
    if (runtime.is_capturing(device)) {
      runtime.invalidate_captures(device);
      return cudaErrorStreamCaptureUnsupported;
    }
    return runtime.complete_device(device);
  });
}

#include <cuda_runtime.h>

#include "percepts/cuda.hpp"
#include "percepts/error.hpp"
#include "runtime/fault.hpp"
#include "src/message.hpp"

// What this machine and this build have of CUDA.

#ifndef PERCEPTS_CUDA_ARCHITECTURES
#define PERCEPTS_CUDA_ARCHITECTURES
#endif

namespace percepts::cuda {
namespace {

/// As CUDA numbers its versions: 12040 is 12.4.
std::string version_text(int version) { return message(version / 1000, ".", version % 1000 / 10); }

std::string why_no_driver() {
  int driver = 0;
  int runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    return "there is no NVIDIA driver on this machine (libcuda.so.1 cannot be loaded)";
  }
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  return message("the NVIDIA driver is too old: it supports CUDA ", version_text(driver),
                 ", and percepts was built with CUDA ", version_text(runtime));
}

}  // namespace

std::string why_unavailable() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result == cudaSuccess && count > 0) return {};
  static_cast<void>(cudaGetLastError());
  if (result == cudaErrorInsufficientDriver) return why_no_driver();
  if (result == cudaSuccess || result == cudaErrorNoDevice) {
    return "there is no CUDA device on this machine, or CUDA_VISIBLE_DEVICES hides all of them";
  }
  return message("CUDA cannot count its devices: ", cudaGetErrorName(result), " (",
                 cudaGetErrorString(result), ")");
}

std::vector<Device> devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return {};
  }
  std::vector<Device> devices;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), {.what = "looking", .device = device});
    devices.push_back({.name = properties.name, .major = properties.major, .minor = properties.minor});
  }
  return devices;
}

std::vector<std::int32_t> architectures() { return {PERCEPTS_CUDA_ARCHITECTURES}; }

}  // namespace percepts::cuda

#include "emulated.hpp"

// Errors as CUDA keeps them, and errors that tests plan.

using namespace emulated;

namespace {

struct Params {
  int* target;
};

__global__ void write(const __grid_constant__ Params params) { *params.target = 1; }

void last_error_is_forgotten_once_told() {
  must(cudaGetLastError());
  check::that(cudaSetDevice(7) == cudaErrorInvalidDevice);
  check::that(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  must(cudaStreamQuery(nullptr));
  check::that(cudaGetLastError() == cudaErrorInvalidDevice);
  must(cudaGetLastError());
  emulation::leave_error(cudaErrorInvalidConfiguration);
  check::that(cudaGetLastError() == cudaErrorInvalidConfiguration);
  check::text(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  check::text(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
}

void launches_are_checked() {
  fails(launch(write, {0, 1}, nullptr, {nullptr}), cudaErrorInvalidConfiguration);
  fails(launch(write, {1, 0}, nullptr, {nullptr}), cudaErrorInvalidConfiguration);
  fails(launch(write, {1, 1025}, nullptr, {nullptr}), cudaErrorInvalidConfiguration);
  fails(launch(write, {1, 1, (48 << 10) + 1}, nullptr, {nullptr}), cudaErrorInvalidValue);
  cudaStream_t stream = make_stream();
  must(cudaStreamDestroy(stream));
  fails(launch(write, {1, 1}, stream, {nullptr}), cudaErrorInvalidResourceHandle);
  fails(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
}

void planned_calls_fail_once() {
  auto* const memory = device_memory<int>(1);
  emulation::fail_call("cudaLaunchKernel", cudaErrorLaunchOutOfResources, 1);
  emulation::fail_call("cudaMalloc", cudaErrorMemoryAllocation);
  void* pointer = nullptr;
  fails(cudaMalloc(&pointer, 4), cudaErrorMemoryAllocation);
  must(launch(write, {1, 1}, nullptr, {memory}));
  fails(launch(write, {1, 1}, nullptr, {memory}), cudaErrorLaunchOutOfResources);
  must(launch(write, {1, 1}, nullptr, {memory}));
  must(cudaMalloc(&pointer, 4));
}

void a_devices_error_stays() {
  const cudaStream_t stream = make_stream();
  must(emulation::fail_work(stream, cudaErrorIllegalAddress));
  must(launch(write, {1, 1}, stream, {nullptr}));  // never runs
  must(cudaGetLastError());
  check::that(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  for (int i = 0; i < 2; ++i) check::that(cudaGetLastError() == cudaErrorIllegalAddress);
  void* pointer = nullptr;
  check::that(cudaMalloc(&pointer, 4) == cudaErrorIllegalAddress);
  emulation::forget_errors();
  must(cudaGetLastError());
  must(cudaMalloc(&pointer, 4));
}

void there_may_be_no_device() {
  emulation::set_device_count(0);
  int count = -1;
  fails(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  check::that(count == 0);
  emulation::set_device_count(1);
  must(cudaGetDeviceCount(&count));
  check::that(count == 1);
  fails(cudaSetDevice(1), cudaErrorInvalidDevice);
  emulation::set_device_count(2);
}

void the_driver_may_be_too_old() {
  for (const int version : {0, 12080}) {
    emulation::set_driver_version(version);
    int value = -1;
    must(cudaDriverGetVersion(&value));
    check::that(value == version);
    fails(cudaGetDeviceCount(&value), cudaErrorInsufficientDriver);
  }
  emulation::set_driver_version(emulation::runtime_version);
}

void devices_describe_themselves() {
  cudaDeviceProp properties{};
  must(cudaGetDeviceProperties(&properties, 1));
  check::text(properties.name, "Emulated device 1");
  int value = 0;
  must(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  check::that(value == properties.multiProcessorCount);
  must(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  check::that(value == properties.major);
  fails(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 2), cudaErrorInvalidDevice);
  int driver = 0;
  int runtime = 0;
  must(cudaDriverGetVersion(&driver));
  must(cudaRuntimeGetVersion(&runtime));
  check::that(driver >= runtime);
}

}  // namespace

int main() {
  last_error_is_forgotten_once_told();
  launches_are_checked();
  planned_calls_fail_once();
  a_devices_error_stays();
  there_may_be_no_device();
  the_driver_may_be_too_old();
  devices_describe_themselves();
}

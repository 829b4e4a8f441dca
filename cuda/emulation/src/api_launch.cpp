#include <limits>
#include <utility>

#include "kernel_runner.hpp"
#include "runtime.hpp"

namespace percepts::cuda::emulation {
namespace {

constexpr unsigned max_block = 1024;
constexpr std::size_t max_shared_bytes = std::size_t{48} << 10;

// The name is that of the function that launched, whose template argument tells kernels apart.
std::string short_name(const std::string& function) {
  constexpr std::string_view label = "Params = ";
  const std::size_t begin = function.find(label);
  if (begin == std::string::npos) return function;
  const std::size_t first = begin + label.size();
  return "the kernel of " + function.substr(first, function.find_first_of(";]", first) - first);
}

}  // namespace

cudaError_t submit(KernelCall kernel, cudaStream_t handle) {
  return call("cudaLaunchKernel", CallKind::plain, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    if (stream == nullptr || stream->device != current_device()) return cudaErrorInvalidResourceHandle;
    if (kernel.grid == 0 || kernel.grid > unsigned{std::numeric_limits<int>::max()} || kernel.block == 0 ||
        kernel.block > max_block) {
      return cudaErrorInvalidConfiguration;
    }
    if (kernel.shared > max_shared_bytes) return cudaErrorInvalidValue;
    kernel.name = short_name(kernel.name);
    return runtime.submit(
        *stream,
        [kernel = std::move(kernel), device = stream->device] {
          const Memory::Opened opened(Runtime::instance().memory, device, kernel.name);
          run_kernel(kernel);
          return cudaSuccess;
        },
        true);
  });
}

}  // namespace percepts::cuda::emulation

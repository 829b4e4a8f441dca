#include "kernels/scan_kernel.hpp"

namespace percepts::cuda {

ScanLaunch scan_of_reals(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return launch_scan<Float16>;
    case DType::bfloat16:
      return launch_scan<BFloat16>;
    case DType::float32:
      return launch_scan<Float32>;
    case DType::float64:
      return launch_scan<Float64>;
    default:
      return nullptr;
  }
}

}  // namespace percepts::cuda

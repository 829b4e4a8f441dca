#include "kernels/scan_kernel.hpp"

namespace percepts::cuda {

ScanLaunch scan_of_large_integers(DType dtype) {
  switch (dtype) {
    case DType::int32:
      return launch_scan<Int32>;
    case DType::uint32:
      return launch_scan<UInt32>;
    case DType::int64:
      return launch_scan<Int64>;
    case DType::uint64:
      return launch_scan<UInt64>;
    default:
      return nullptr;
  }
}

}  // namespace percepts::cuda

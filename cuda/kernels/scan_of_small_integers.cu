#include "kernels/scan_kernel.hpp"

namespace percepts::cuda {

ScanLaunch scan_of_small_integers(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return launch_scan<Boolean>;
    case DType::int8:
      return launch_scan<Int8>;
    case DType::uint8:
      return launch_scan<UInt8>;
    case DType::int16:
      return launch_scan<Int16>;
    case DType::uint16:
      return launch_scan<UInt16>;
    default:
      return nullptr;
  }
}

}  // namespace percepts::cuda

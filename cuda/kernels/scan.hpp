#pragma once

#include <cstdint>

#include "kernels/scan_params.hpp"
#include "percepts/dtype.hpp"
#include "runtime/launch.hpp"

namespace percepts::cuda {

/// Adjacent columns that a thread of the scan reads.
constexpr std::int32_t columns_of_thread_for(DType dtype) {
  return size_of(dtype) >= 2 ? 16 / static_cast<std::int32_t>(size_of(dtype)) : 8;
}

/// Bytes of partial statistics of one cell, of any type.
inline constexpr std::int64_t partial_bytes = sizeof(Partial<double>);
static_assert(sizeof(Partial<double>) == sizeof(Partial<std::int64_t>));

/// How maps of this kind are cut. The grid fits. Throws InvalidArgument for maps that are too large to count
/// their blocks, or too many to count the bytes of their numbers.
ScanCut scan_cut(DType dtype, const Extent& extent, const Grid& grid, std::int64_t maps);

/// Puts the scan of `maps` maps on the stream: one kernel, and more only for more than 2^31 − 1 blocks. The
/// validity is null where every finite pixel is data and nothing is limited.
cudaError_t scan(DType dtype, const ScanParams& params, const Validity* validity, std::int64_t maps,
                 cudaStream_t stream);

// Of these types each: a kernel of one launch.
using ScanLaunch = cudaError_t (*)(const ScanParams& params, const Validity* validity, unsigned maps,
                                   cudaStream_t stream);
ScanLaunch scan_of_small_integers(DType dtype);
ScanLaunch scan_of_large_integers(DType dtype);
ScanLaunch scan_of_reals(DType dtype);

}  // namespace percepts::cuda

#pragma once

#include "kernels/scan.hpp"
#include "kernels/scan_cells.hpp"
#include "kernels/scan_finish.hpp"

// The kernel: statistics of cells, and what is decided on them, in one launch. Included by one translation
// unit a group of types.

namespace percepts::cuda {
namespace {

template <class E, bool careful>
__device__ __forceinline__ void scan_block(const ScanParams& scan, const Validity* validity) {
  const BlockPlace place(scan, blockIdx.x);
  scan_cells<E, careful>(scan, validity, place);

  // The last block of a map to arrive here finishes the map: what the others wrote before their fence is
  // there, and it is added up in an order that does not depend on who was last.
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(scan.arrivals + place.map, 1U) + 1 == static_cast<unsigned>(scan.cut.blocks);
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  Finish<E, careful>(scan, validity, place.map).run();
  if (threadIdx.x == 0) atomicExch(scan.arrivals + place.map, 0U);
}

template <class E>
__global__ void __launch_bounds__(256) scan_plain(const __grid_constant__ ScanParams params) {
  scan_block<E, false>(params, nullptr);
}

template <class E>
__global__ void __launch_bounds__(256) scan_careful(const __grid_constant__ CarefulScanParams params) {
  scan_block<E, true>(params.scan, &params.validity);
}

template <class E>
cudaError_t launch_scan(const ScanParams& params, const Validity* validity, unsigned maps,
                        cudaStream_t stream) {
  static_assert(columns_of_thread<E> == columns_of_thread_for(E::dtype));
  const ScanCut& cut = params.cut;
  const std::int32_t places = cut.row_threads * (cut.column_threads + cut.slots);
  const auto shape = [&](std::int32_t shared) -> LaunchShape {
    return {.grid = maps * static_cast<unsigned>(cut.blocks),
            .block = static_cast<unsigned>(cut.threads),
            .shared = static_cast<std::size_t>(shared)};
  };
  if (validity == nullptr) {
    return launch(scan_plain<E>, shape(Runs<E, false>::bytes(places, cut.slots)), stream, params);
  }
  return launch(scan_careful<E>, shape(Runs<E, true>::bytes(places, cut.slots)), stream, {params, *validity});
}

}  // namespace
}  // namespace percepts::cuda

#include <algorithm>
#include <limits>

#include "kernels/label_cell.hpp"
#include "kernels/label_counts.hpp"
#include "kernels/label_mode.hpp"

namespace percepts::cuda {
namespace {

constexpr unsigned threads_of_block = 256;
constexpr unsigned all_lanes = 0xffffffffU;

template <class Label>
struct CellMode {
  Winner<Label> winner;
  std::uint32_t counted;  ///< pixels of any label that counts
};

/// What all threads of the block add up to, in all of them.
__device__ __forceinline__ std::uint32_t block_sum(std::uint32_t value) {
  __shared__ std::uint32_t sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (value != 0) atomicAdd(&sum, value);
  __syncthreads();
  const std::uint32_t result = sum;
  __syncthreads();
  return result;
}

/// The best of what all threads of the block offer; in the first warp.
template <class Label>
__device__ __forceinline__ Winner<Label> block_winner(Winner<Label> winner) {
  __shared__ Winner<Label> of_warps[threads_of_block / 32];
  const auto best_of_warp = [&] {
    for (int distance = 16; distance > 0; distance /= 2) {
      const auto label =
          static_cast<Label>(__shfl_xor_sync(all_lanes, static_cast<long long>(winner.label), distance));
      winner.offer(label, __shfl_xor_sync(all_lanes, winner.count, distance));
    }
  };
  best_of_warp();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = winner;
  __syncthreads();
  if (threadIdx.x < 32) {
    winner = threadIdx.x < threads_of_block / 32 ? of_warps[threadIdx.x] : Winner<Label>{};
    best_of_warp();
  }
  __syncthreads();
  return winner;
}

/// Offers all labels but the small ones: those of one part of all mixed labels after another, each part as
/// large as the hash table has place for. A part that is too large is cut in two by one more bit.
template <class E>
__device__ __forceinline__ void offer_large_labels(const LabelCell<E>& cell,
                                                   Winner<typename E::Value>& winner) {
  __shared__ LabelHash hash;
  using Label = typename E::Value;
  std::uint64_t part = 0;
  int bits = 0;
  while (true) {
    for (std::uint32_t slot = threadIdx.x; slot < LabelHash::size; slot += blockDim.x) {
      hash.owners[slot] = 0;
      hash.counts[slot] = 0;
    }
    __syncthreads();
    std::uint32_t overflows = 0;
    const std::uint64_t part_mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    cell.for_each_run([&](Label label, std::uint32_t pixels, std::uint32_t index) {
      const auto wide = static_cast<std::uint64_t>(label);
      if (wide < LabelTable::size) return true;
      const std::uint64_t mix = mixed(wide);
      if ((mix & part_mask) != part) return true;
      if (count_in(hash, label, mix, index, pixels, [&](std::uint32_t at) { return cell[at]; })) return true;
      overflows = 1;
      return false;
    });
    if (block_sum(overflows) != 0) {
      ++bits;
      continue;
    }
    for (std::uint32_t slot = threadIdx.x; slot < LabelHash::size; slot += blockDim.x) {
      if (hash.owners[slot] != 0) winner.offer(cell[hash.owners[slot] - 1], hash.counts[slot]);
    }
    __syncthreads();
    // The next part: the other half of the smallest that has one.
    while (bits > 0 && (part >> (bits - 1) & 1) != 0) {
      --bits;
      part &= (std::uint64_t{1} << bits) - 1;
    }
    if (bits == 0) return;
    part |= std::uint64_t{1} << (bits - 1);
  }
}

template <class E>
__device__ __forceinline__ CellMode<typename E::Value> mode_of(const LabelCell<E>& cell) {
  __shared__ LabelTable table;
  using Label = typename E::Value;
  for (std::uint32_t at = threadIdx.x; at < LabelTable::size; at += blockDim.x) table.counts[at] = 0;
  __syncthreads();
  std::uint32_t small = 0;
  std::uint32_t large = 0;
  cell.for_each_run([&](Label label, std::uint32_t pixels, std::uint32_t /*index*/) {
    const auto wide = static_cast<std::uint64_t>(label);
    const bool is_small = wide < LabelTable::size;
    if (is_small) atomicAdd(&table.counts[wide], pixels);
    (is_small ? small : large) += pixels;
    return true;
  });
  small = block_sum(small);
  large = block_sum(large);
  CellMode<Label> mode{.winner = {}, .counted = small + large};
  for (std::uint32_t at = threadIdx.x; small != 0 && at < LabelTable::size; at += blockDim.x) {
    mode.winner.offer(static_cast<Label>(at), table.counts[at]);
  }
  if (large != 0) offer_large_labels<E>(cell, mode.winner);
  mode.winner = block_winner(mode.winner);
  return mode;
}

/// A block a cell.
template <class E>
__global__ void __launch_bounds__(threads_of_block) label_modes(const __grid_constant__ LabelParams params) {
  for (std::int64_t at = blockIdx.x; at < params.cells; at += gridDim.x) {
    const auto mode = mode_of<E>(LabelCell<E>(params, at));
    if (threadIdx.x == 0) {
      using Bits = typename E::Bits;
      const bool empty = mode.counted == 0;
      static_cast<Bits*>(params.label)[at] =
          empty ? static_cast<Bits>(params.nothing) : static_cast<Bits>(mode.winner.label);
      params.share[at] = empty ? std::numeric_limits<double>::quiet_NaN()
                               : static_cast<double>(mode.winner.count) / static_cast<double>(mode.counted);
    }
    __syncthreads();
  }
}

template <class E>
cudaError_t launch_modes(const LabelParams& params, cudaStream_t stream) {
  constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();
  return launch(label_modes<E>,
                {.grid = static_cast<unsigned>(std::min(params.cells, most_blocks)),
                 .block = threads_of_block,
                 .shared = 0},
                stream, params);
}

}  // namespace

cudaError_t find_label_modes(DType dtype, const LabelParams& params, cudaStream_t stream) {
  if (params.cells == 0) return cudaSuccess;
  switch (dtype) {
    case DType::boolean:
      return launch_modes<Boolean>(params, stream);
    case DType::int8:
      return launch_modes<Int8>(params, stream);
    case DType::uint8:
      return launch_modes<UInt8>(params, stream);
    case DType::int16:
      return launch_modes<Int16>(params, stream);
    case DType::uint16:
      return launch_modes<UInt16>(params, stream);
    case DType::int32:
      return launch_modes<Int32>(params, stream);
    case DType::uint32:
      return launch_modes<UInt32>(params, stream);
    case DType::int64:
      return launch_modes<Int64>(params, stream);
    default:
      return launch_modes<UInt64>(params, stream);
  }
}

}  // namespace percepts::cuda

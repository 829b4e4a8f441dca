#pragma once

#include <math.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>

#include "emulation/vector_types.hpp"

// What kernels call. Places in the source are passed along for the messages about faults.

#define __host__
#define __device__
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))

// One block runs at a time, so its shared memory is one static variable. Under the thread sanitizer, blocks
// that follow each other run on different OS threads, each with shared memory of its own: were it the same,
// its reuse would either be reported or have to order the blocks, and that would hide missing fences.
#if defined(__SANITIZE_THREAD__)
#define __shared__ static thread_local
#else
#define __shared__ static
#endif

namespace percepts::cuda::emulation {
enum class WarpAction { synchronize, ballot, index, up, down, exclusive_or };
}

#pragma GCC visibility push(hidden)

extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local dim3 blockDim;
extern constinit thread_local dim3 gridDim;
inline constexpr int warpSize = 32;

namespace percepts::cuda::emulation {

/// The calling thread's part in what the lanes of `mask` do together; returns this lane's result.
std::uint64_t act_with_warp(WarpAction action, unsigned mask, std::uint64_t value, int operand, int width,
                            const std::source_location& where);
void wait_for_block(const std::source_location& where);
void* dynamic_shared_memory();

/// All fences change this word, so that each is ordered after those before it.
extern unsigned fence_word;

template <class T>
concept WarpValue = std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, long> ||
                    std::same_as<T, unsigned long> || std::same_as<T, long long> ||
                    std::same_as<T, unsigned long long> || std::same_as<T, float> || std::same_as<T, double>;

template <WarpValue T>
T shuffle(WarpAction action, unsigned mask, T value, int operand, int width,
          const std::source_location& where) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = act_with_warp(action, mask, bits, operand, width, where);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
concept AtomicValue =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, unsigned long long>;

}  // namespace percepts::cuda::emulation

inline void __syncthreads(std::source_location where = std::source_location::current()) {
  percepts::cuda::emulation::wait_for_block(where);
}

inline void __syncwarp(unsigned mask = 0xffffffff,
                       std::source_location where = std::source_location::current()) {
  using namespace percepts::cuda::emulation;
  act_with_warp(WarpAction::synchronize, mask, 0, 0, warpSize, where);
}

template <percepts::cuda::emulation::WarpValue T>
T __shfl_sync(unsigned mask, T value, int source_lane, int width = warpSize,
              std::source_location where = std::source_location::current()) {
  using namespace percepts::cuda::emulation;
  return shuffle(WarpAction::index, mask, value, source_lane, width, where);
}

template <percepts::cuda::emulation::WarpValue T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                 std::source_location where = std::source_location::current()) {
  using namespace percepts::cuda::emulation;
  return shuffle(WarpAction::up, mask, value, static_cast<int>(delta), width, where);
}

template <percepts::cuda::emulation::WarpValue T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                   std::source_location where = std::source_location::current()) {
  using namespace percepts::cuda::emulation;
  return shuffle(WarpAction::down, mask, value, static_cast<int>(delta), width, where);
}

template <percepts::cuda::emulation::WarpValue T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,
                  std::source_location where = std::source_location::current()) {
  using namespace percepts::cuda::emulation;
  return shuffle(WarpAction::exclusive_or, mask, value, lane_mask, width, where);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              std::source_location where = std::source_location::current()) {
  using namespace percepts::cuda::emulation;
  return static_cast<unsigned>(
      act_with_warp(WarpAction::ballot, mask, predicate != 0 ? 1 : 0, 0, warpSize, where));
}

inline int __any_sync(unsigned mask, int predicate,
                      std::source_location where = std::source_location::current()) {
  return __ballot_sync(mask, predicate, where) != 0 ? 1 : 0;
}

inline int __all_sync(unsigned mask, int predicate,
                      std::source_location where = std::source_location::current()) {
  return __ballot_sync(mask, predicate, where) == mask ? 1 : 0;
}

inline int __popc(unsigned value) { return std::popcount(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }

// Atomics order nothing but themselves, and a fence is what orders: thus the thread sanitizer reports a
// missing one.

template <percepts::cuda::emulation::AtomicValue T>
T atomicAdd(T* target, T value) {
  return __atomic_fetch_add(target, value, __ATOMIC_RELAXED);
}

template <percepts::cuda::emulation::AtomicValue T>
T atomicExch(T* target, T value) {
  return __atomic_exchange_n(target, value, __ATOMIC_RELAXED);
}

template <percepts::cuda::emulation::AtomicValue T>
T atomicCAS(T* target, T expected, T value) {
  __atomic_compare_exchange_n(target, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

inline void __threadfence() {
  __atomic_fetch_add(&percepts::cuda::emulation::fence_word, 0U, __ATOMIC_ACQ_REL);
}

#pragma GCC visibility pop

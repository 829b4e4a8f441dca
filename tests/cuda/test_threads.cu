#include <cstdlib>
#include <string_view>

#include "emulated.hpp"

// Threads, warps and blocks. Run with "os-threads", all threads of a block are threads of the operating
// system.

using namespace emulated;

namespace {

struct Indices {
  uint4* target;
};

__global__ void write_indices(const __grid_constant__ Indices params) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  params.target[i] = make_uint4(threadIdx.x, blockIdx.x, blockDim.x, gridDim.x);
}

void threads_know_their_place() {
  auto* const target = device_memory<uint4>(3 * 40);
  must(launch(write_indices, {3, 40}, nullptr, {target}));
  const auto values = host_copy(target, 3 * 40);
  for (unsigned i = 0; i < 3 * 40; ++i) {
    check::that(values[i].x == i % 40 && values[i].y == i / 40 && values[i].z == 40 && values[i].w == 3);
  }
}

struct Values {
  int* target;
};

template <class T>
__device__ bool shuffles_work() {
  const auto lane = static_cast<int>(threadIdx.x % 32);
  const T own = static_cast<T>(lane + 1);
  const auto got = [](T value) { return static_cast<int>(value) - 1; };
  return got(__shfl_sync(~0U, own, 5)) == 5 && got(__shfl_sync(~0U, own, 37)) == 5 &&
         got(__shfl_sync(~0U, own, 3, 8)) == (lane & ~7) + 3 &&
         got(__shfl_xor_sync(~0U, own, 9)) == (lane ^ 9) &&
         got(__shfl_xor_sync(~0U, own, 8, 8)) == (lane % 16 < 8 ? lane : lane - 8) &&
         got(__shfl_down_sync(~0U, own, 4)) == (lane < 28 ? lane + 4 : lane) &&
         got(__shfl_down_sync(~0U, own, 1, 4)) == (lane % 4 < 3 ? lane + 1 : lane) &&
         got(__shfl_up_sync(~0U, own, 3)) == (lane < 3 ? lane : lane - 3);
}

__global__ void shuffle(const __grid_constant__ Values params) {
  params.target[threadIdx.x] = shuffles_work<int>() && shuffles_work<unsigned>() &&
                               shuffles_work<long long>() && shuffles_work<float>() &&
                               shuffles_work<double>();
}

void lanes_read_each_other() {
  auto* const target = device_memory<int>(96);
  must(launch(shuffle, {1, 96}, nullptr, {target}));
  for (const int value : host_copy(target, 96)) check::that(value == 1);
}

// Lanes of one warp in separate groups, in different code, while others wait.
__global__ void vote(const __grid_constant__ Values params) {
  const unsigned lane = threadIdx.x % 32;
  unsigned result = 0;
  if (lane < 8) {
    result = __ballot_sync(0xff, lane % 2 == 0);
    result += __any_sync(0xff, lane == 3) == 1 ? 0x100 : 0;
  } else {
    result = __ballot_sync(~0xffU, lane > 29) >> 24;
    result += __all_sync(~0xffU, lane > 7) == 1 ? 0x100 : 0;
    result += __all_sync(~0xffU, lane > 8) == 1 ? 0x200 : 0;
  }
  __syncwarp();
  params.target[threadIdx.x] = static_cast<int>(result);
}

void lanes_vote_in_groups() {
  auto* const target = device_memory<int>(64);
  must(launch(vote, {1, 64}, nullptr, {target}));
  const auto values = host_copy(target, 64);
  for (std::size_t i = 0; i < 64; ++i) check::that(values[i] == (i % 32 < 8 ? 0x155 : 0x1c0));
}

// Groups of lanes that lie between each other see each other's memory.
__global__ void exchange(const __grid_constant__ Values params) {
  __shared__ int values[32];
  const unsigned lane = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    values[lane] = static_cast<int>(lane) + i;
    if (lane % 2 == 0) {
      __syncwarp(0x55555555);
    } else {
      __syncwarp(0xaaaaaaaa);
    }
    params.target[lane] = values[lane ^ 2];
    __syncwarp();
  }
}

void groups_of_lanes_synchronize() {
  auto* const target = device_memory<int>(32);
  must(launch(exchange, {1, 32}, nullptr, {target}));
  const auto values = host_copy(target, 32);
  for (int i = 0; i < 32; ++i) check::that(values[static_cast<std::size_t>(i)] == (i ^ 2) + 2);
}

struct Sums {
  const float* source;
  float* partial;
  unsigned* count;
  float* total;
};

// Shuffles, static and dynamic shared memory, barriers, and the last block that ends the work of all.
__global__ void add_up(const __grid_constant__ Sums params) {
  __shared__ float of_warps[32];
  __shared__ bool is_last;
  auto* const values = percepts::cuda::dynamic_shared<float>();
  values[threadIdx.x] = params.source[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  float sum = values[blockDim.x - 1 - threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0U, sum, distance);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float of_block = 0;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) of_block += of_warps[i];
    params.partial[blockIdx.x] = of_block;
    __threadfence();
    is_last = atomicAdd(params.count, 1U) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  float total = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) total += params.partial[i];
  *params.total = total;
  atomicExch(params.count, 0U);
}

void blocks_add_up() {
  constexpr unsigned grid = 7;
  constexpr unsigned block = 256;
  auto* const source = device_copy(std::vector<float>(std::size_t{grid} * block, 2.0F));
  auto* const partial = device_memory<float>(grid);
  auto* const count = device_copy(std::vector<unsigned>{0});
  auto* const total = device_memory<float>(1);
  for (int i = 0; i < 2; ++i) {
    must(launch(add_up, {grid, block, block * sizeof(float)}, nullptr, {source, partial, count, total}));
    check::that(host_copy(total, 1)[0] == 2.0F * grid * block);
  }
}

struct Counts {
  unsigned* unsigned_count;
  int* int_count;
};

__global__ void count(const __grid_constant__ Counts params) {
  atomicAdd(params.unsigned_count, 2U);
  atomicAdd(params.int_count, -1);
}

void atomics_count() {
  auto* const unsigned_count = device_copy(std::vector<unsigned>{1});
  auto* const int_count = device_copy(std::vector<int>{0});
  must(launch(count, {4, 100}, nullptr, {unsigned_count, int_count}));
  check::that(host_copy(unsigned_count, 1)[0] == 801 && host_copy(int_count, 1)[0] == -400);
}

struct Turns {
  unsigned* count;
  unsigned* turn_of_block;
};

__global__ void take_turns(const __grid_constant__ Turns params) {
  params.turn_of_block[blockIdx.x] = atomicAdd(params.count, 1U);
}

void blocks_come_in_no_fixed_order() {
  auto* const turns = device_memory<unsigned>(3);
  bool was_first = false;
  bool was_last = false;
  for (int i = 0; i < 2; ++i) {
    must(launch(take_turns, {3, 1}, nullptr, {device_copy(std::vector<unsigned>{0}), turns}));
    const unsigned turn = host_copy(turns, 3)[2];
    was_first = was_first || turn == 0;
    was_last = was_last || turn == 2;
  }
  check::that(was_first && was_last);
}

__global__ void read_shared(const __grid_constant__ Values params) {
  auto* const values = percepts::cuda::dynamic_shared<int>();
  params.target[blockIdx.x] = values[0];
  values[0] = 1;
}

void shared_memory_is_poisoned_for_each_block() {
  auto* const target = device_memory<int>(3);
  must(launch(read_shared, {3, 1, sizeof(int)}, nullptr, {target}));
  for (const int value : host_copy(target, 3)) check::that(static_cast<unsigned>(value) == 0xA5A5A5A5U);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "os-threads") emulation::run_on_os_threads(true);
  threads_know_their_place();
  lanes_read_each_other();
  lanes_vote_in_groups();
  groups_of_lanes_synchronize();
  blocks_add_up();
  atomics_count();
  blocks_come_in_no_fixed_order();
  shared_memory_is_poisoned_for_each_block();
}

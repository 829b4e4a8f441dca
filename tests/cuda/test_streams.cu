#include <thread>

#include "emulated.hpp"

// Streams run as late as CUDA allows, and in no order but the one that was asked for.

using namespace emulated;

namespace {

constexpr int poison = static_cast<int>(0xA5A5A5A5U);

struct Copy {
  const int* source;
  int* target;
  int added;
};

__global__ void copy_one(const __grid_constant__ Copy params) {
  *params.target = *params.source + params.added;
}

struct Cells {
  int* a = device_copy(std::vector<int>{1});
  int* b = device_memory<int>(1);
  int* c = device_memory<int>(1);
};

int read_on(cudaStream_t stream, const int* memory) {
  int value = 0;
  must(cudaMemcpyAsync(&value, memory, sizeof value, cudaMemcpyDeviceToHost, stream));
  return value;
}

void streams_do_not_wait_for_each_other() {
  const Cells cells;
  const cudaStream_t first = make_stream();
  const cudaStream_t second = make_stream();
  must(launch(copy_one, {1, 1}, first, {cells.a, cells.b, 10}));
  must(launch(copy_one, {1, 1}, second, {cells.b, cells.c, 100}));
  check::that(read_on(second, cells.c) == poison + 100);
  check::that(read_on(first, cells.b) == 11);
}

void events_order_streams() {
  const Cells cells;
  const cudaStream_t first = make_stream();
  const cudaStream_t second = make_stream();
  const cudaEvent_t event = make_event();
  must(cudaStreamWaitEvent(second, event));  // never recorded: nothing to wait for
  must(launch(copy_one, {1, 1}, first, {cells.a, cells.b, 10}));
  must(cudaEventRecord(event, first));
  must(launch(copy_one, {1, 1}, first, {cells.a, cells.a, 1000}));
  must(cudaStreamWaitEvent(second, event));
  must(cudaEventDestroy(event));
  must(launch(copy_one, {1, 1}, second, {cells.b, cells.c, 100}));
  check::that(read_on(second, cells.c) == 111);
  check::that(read_on(second, cells.a) == 1);  // what came after the event has not run
  must(cudaDeviceSynchronize());
  check::that(read_on(second, cells.a) == 1001);
}

void legacy_stream_waits_for_blocking_ones() {
  const Cells cells;
  const cudaStream_t blocking = make_stream(cudaStreamDefault);
  must(launch(copy_one, {1, 1}, blocking, {cells.a, cells.b, 10}));
  must(launch(copy_one, {1, 1}, nullptr, {cells.b, cells.b, 100}));
  must(launch(copy_one, {1, 1}, cudaStreamPerThread, {cells.b, cells.c, 1000}));
  check::that(read_on(cudaStreamPerThread, cells.c) == 1111);

  const cudaStream_t separate = make_stream();
  must(launch(copy_one, {1, 1}, separate, {cells.a, cells.a, 10}));
  check::that(read_on(cudaStreamLegacy, cells.a) == 1);
  must(cudaStreamDestroy(separate));
  must(cudaDeviceSynchronize());
  check::that(read_on(cudaStreamLegacy, cells.a) == 11);
}

void each_thread_has_its_stream() {
  const Cells cells;
  must(launch(copy_one, {1, 1}, cudaStreamPerThread, {cells.a, cells.b, 10}));
  std::thread([&cells] {
    must(launch(copy_one, {1, 1}, cudaStreamPerThread, {cells.a, cells.c, 100}));
    check::that(read_on(cudaStreamPerThread, cells.c) == 101);
    check::that(read_on(cudaStreamPerThread, cells.b) == poison);
  }).join();
  check::that(read_on(cudaStreamPerThread, cells.b) == 11);
}

void queries_come_to_an_end() {
  const Cells cells;
  const cudaStream_t stream = make_stream();
  const cudaEvent_t event = make_event();
  must(cudaStreamQuery(stream));
  must(launch(copy_one, {1, 1}, stream, {cells.a, cells.b, 10}));
  must(launch(copy_one, {1, 1}, stream, {cells.b, cells.c, 10}));
  must(cudaEventRecord(event, stream));
  int asked = 0;
  while (cudaEventQuery(event) == cudaErrorNotReady) ++asked;
  check::that(asked == 3);
  must(cudaEventSynchronize(event));
  must(cudaStreamQuery(stream));
  check::that(read_on(stream, cells.c) == 21);
}

void host_memory_is_read_when_cuda_reads_it() {
  int* pinned = nullptr;
  must(cudaMallocHost(&pinned, sizeof(int)));
  int pageable = 1;
  *pinned = 1;
  const Cells cells;
  const cudaStream_t stream = make_stream();
  must(cudaMemcpyAsync(cells.b, &pageable, sizeof(int), cudaMemcpyHostToDevice, stream));
  must(cudaMemcpyAsync(cells.c, pinned, sizeof(int), cudaMemcpyHostToDevice, stream));
  pageable = *pinned = 2;  // too early for pinned memory
  check::that(read_on(stream, cells.b) == 1);
  check::that(read_on(stream, cells.c) == 2);

  must(cudaMemcpyAsync(pinned, cells.b, sizeof(int), cudaMemcpyDefault, stream));
  check::that(*pinned == 2);
  must(cudaStreamSynchronize(stream));
  check::that(*pinned == 1);
  must(cudaFreeHost(pinned));
}

void devices_have_their_own_streams() {
  int count = 0;
  must(cudaGetDeviceCount(&count));
  check::that(count == 2);
  const Cells cells;
  const cudaStream_t stream = make_stream();
  const cudaEvent_t event = make_event();
  must(cudaSetDevice(1));
  fails(launch(copy_one, {1, 1}, stream, {cells.a, cells.b, 10}), cudaErrorInvalidResourceHandle);
  fails(cudaEventRecord(event, nullptr), cudaErrorInvalidResourceHandle);
  must(cudaEventRecord(event, stream));
  const Cells of_second;
  must(cudaStreamWaitEvent(nullptr, event));
  must(launch(copy_one, {1, 1}, nullptr, {of_second.a, of_second.b, 10}));
  must(cudaMemcpyAsync(cells.b, of_second.b, sizeof(int), cudaMemcpyDefault, nullptr));
  must(cudaDeviceSynchronize());
  std::thread([] {
    int device = -1;
    must(cudaGetDevice(&device));
    check::that(device == 0);  // of the thread, not of the process
  }).join();
  must(cudaSetDevice(0));
  check::that(read_on(stream, cells.b) == 11);
  fails(cudaSetDevice(2), cudaErrorInvalidDevice);
}

}  // namespace

int main() {
  streams_do_not_wait_for_each_other();
  events_order_streams();
  legacy_stream_waits_for_blocking_ones();
  each_thread_has_its_stream();
  queries_come_to_an_end();
  host_memory_is_read_when_cuda_reads_it();
  devices_have_their_own_streams();
}

#include "kernel_runner.hpp"

#include "emulation/control.hpp"
#include "fault.hpp"
#include "fiber_block.hpp"
#include "os_thread_block.hpp"
#include "sanitizers.hpp"

#if PERCEPTS_THREAD_SANITIZER
#include <array>

#include "hidden_worker.hpp"
#endif

namespace percepts::cuda::emulation {
namespace {

bool os_threads = false;

#if PERCEPTS_THREAD_SANITIZER

// Blocks that follow each other share no threads, so that nothing orders them but fences, and no shared
// memory.
struct Place {
  FiberBlock block;
  HiddenWorker worker;
};

void run_as_fibers(const KernelCall& call) {
  constexpr unsigned places_count = 2;
  static auto& places = *new std::array<Place, places_count>;
  for (Place& place : places) place.block.order_before_begin();
  for (unsigned index = 0; index < call.grid; ++index) {
    Place& place = places[index % places_count];
    place.worker.run([&call, &place, index] { place.block.run(call, index); });
  }
  for (Place& place : places) place.block.order_after_end();
}

#else

void run_as_fibers(const KernelCall& call) {
  static auto& block = *new FiberBlock;
  for (unsigned index = 0; index < call.grid; ++index) block.run(call, index);
}

#endif

}  // namespace

void run_on_os_threads(bool wanted) {
#if PERCEPTS_THREAD_SANITIZER
  if (wanted) fault("under the thread sanitizer, blocks run as fibers only");
#endif
  os_threads = wanted;
}

void run_kernel(const KernelCall& call) {
  if (os_threads) {
    for (unsigned index = 0; index < call.grid; ++index) OsThreadBlock().run(call, index);
  } else {
    run_as_fibers(call);
  }
}

}  // namespace percepts::cuda::emulation

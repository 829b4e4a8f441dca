#include "fiber.hpp"

#include <sys/mman.h>

#include <atomic>

#include "context.hpp"
#include "fault.hpp"
#include "sanitizers.hpp"

#if PERCEPTS_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace percepts::cuda::emulation {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;  // frames are large under sanitizers

// Stacks begin at addresses that differ in their low bits, for else all compete for the same few lines of the
// caches.
constexpr std::size_t color_bytes = 192;
constexpr std::size_t colors = 64;

thread_local Fiber* starting = nullptr;

// On both sides of the stack, what runs out of it meets memory that nobody can touch.
constexpr std::size_t guard_bytes = std::size_t{64} << 10;
constexpr std::size_t mapping_bytes = guard_bytes + stack_bytes + guard_bytes;

std::byte* map_stack() {
  void* const mapping =
      mmap(nullptr, mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  auto* const stack = static_cast<std::byte*>(mapping) + guard_bytes;
  if (mapping == MAP_FAILED || mprotect(stack, stack_bytes, PROT_READ | PROT_WRITE) != 0) {
    fault("no memory for the stack of a thread");
  }
  return stack;
}

}  // namespace

Fiber::Fiber(Body body, void* argument) : body_(body), argument_(argument), stack_(map_stack()) {
  static std::atomic<std::size_t> count{0};
  const std::size_t color = count.fetch_add(1, std::memory_order_relaxed) % colors;
  own_context_ = make_context(stack_, stack_bytes - color * color_bytes, &Fiber::run);
#if PERCEPTS_THREAD_SANITIZER
  thread_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if PERCEPTS_THREAD_SANITIZER
  __tsan_destroy_fiber(thread_);
#endif
  destroy_context(own_context_);
  destroy_context(resumer_context_);
  munmap(stack_ - guard_bytes, mapping_bytes);
}

void Fiber::resume() {
  starting = this;
#if PERCEPTS_ADDRESS_SANITIZER
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, stack_, stack_bytes);
#endif
#if PERCEPTS_THREAD_SANITIZER
  resumer_thread_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(thread_, __tsan_switch_to_fiber_no_sync);
#endif
  switch_context(&resumer_context_, own_context_);
#if PERCEPTS_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

void Fiber::suspend() {
#if PERCEPTS_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&own_fake_stack_, resumer_stack_, resumer_stack_bytes_);
#endif
#if PERCEPTS_THREAD_SANITIZER
  __tsan_switch_to_fiber(resumer_thread_, __tsan_switch_to_fiber_no_sync);
#endif
  switch_context(&own_context_, resumer_context_);
#if PERCEPTS_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(own_fake_stack_, &resumer_stack_, &resumer_stack_bytes_);
#endif
}

void Fiber::run() {
  Fiber& self = *starting;
#if PERCEPTS_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(nullptr, &self.resumer_stack_, &self.resumer_stack_bytes_);
#endif
  for (;;) {
    self.body_(self.argument_);
    self.suspend();
  }
}

}  // namespace percepts::cuda::emulation

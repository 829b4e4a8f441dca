#pragma once

#include <cstddef>

namespace percepts::cuda::emulation {

/// A stack of its own that runs `body` whenever it is resumed, until it suspends itself. After the end of the
/// body the next resumption begins it anew, so a fiber serves many blocks. Only between two bodies may
/// another OS thread take over.
class Fiber {
 public:
  using Body = void (*)(void* argument);

  Fiber(Body body, void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the fiber until it suspends itself.
  void resume();
  /// Goes back to who resumed the fiber; call it on the fiber only.
  void suspend();

 private:
  static void run();

  Body body_;
  void* argument_;
  std::byte* stack_;
  void* own_context_ = nullptr;
  void* resumer_context_ = nullptr;

  // For the sanitizers.
  const void* resumer_stack_ = nullptr;
  std::size_t resumer_stack_bytes_ = 0;
  void* own_fake_stack_ = nullptr;
  void* thread_ = nullptr;
  void* resumer_thread_ = nullptr;
};

}  // namespace percepts::cuda::emulation

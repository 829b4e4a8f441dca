#include "context.hpp"

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

namespace percepts::cuda::emulation {

#if defined(__x86_64__) || defined(__aarch64__)

// A context is its stack pointer; what a call must preserve lies on the stack above it.

extern "C" void percepts_emulation_switch(void** from, void* to) __attribute__((visibility("hidden")));

#if defined(__x86_64__)

asm(R"(
.text
.p2align 4
.hidden percepts_emulation_switch
.globl percepts_emulation_switch
.type percepts_emulation_switch, @function
percepts_emulation_switch:
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size percepts_emulation_switch, . - percepts_emulation_switch
)");

constexpr std::size_t saved_words = 6;
constexpr std::size_t entry_word = saved_words;       // where `ret` finds its address
constexpr std::size_t frame_words = saved_words + 2;  // a return address of zero ends backtraces

#else

asm(R"(
.text
.p2align 4
.hidden percepts_emulation_switch
.globl percepts_emulation_switch
.type percepts_emulation_switch, %function
percepts_emulation_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size percepts_emulation_switch, . - percepts_emulation_switch
)");

constexpr std::size_t entry_word = 11;  // x30
constexpr std::size_t frame_words = 20;

#endif

void* make_context(std::byte* stack, std::size_t bytes, void (*entry)()) {
  auto* const top = reinterpret_cast<std::uintptr_t*>(stack + bytes);  // aligned to 16 as pages are
  std::uintptr_t* const frame = top - frame_words;
  for (std::size_t i = 0; i < frame_words; ++i) frame[i] = 0;
  frame[entry_word] = reinterpret_cast<std::uintptr_t>(entry);
  return frame;
}

void switch_context(void** from, void* to) { percepts_emulation_switch(from, to); }

void destroy_context(void*) {}

#else

void* make_context(std::byte* stack, std::size_t bytes, void (*entry)()) {
  auto* const context = new ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = bytes;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}

void switch_context(void** from, void* to) {
  if (*from == nullptr) *from = new ucontext_t;
  swapcontext(static_cast<ucontext_t*>(*from), static_cast<ucontext_t*>(to));
}

void destroy_context(void* context) { delete static_cast<ucontext_t*>(context); }

#endif

}  // namespace percepts::cuda::emulation

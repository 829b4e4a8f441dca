#pragma once

#include <cstddef>

// Contexts of execution, each on a stack of its own. A context is known by one pointer while it does not run.

namespace percepts::cuda::emulation {

/// A context that will run `entry` on this stack; `entry` never returns.
void* make_context(std::byte* stack, std::size_t bytes, void (*entry)());
/// Stores the running context in `*from` and continues `to`.
void switch_context(void** from, void* to);
/// Frees what make_context took besides the stack.
void destroy_context(void* context);

}  // namespace percepts::cuda::emulation

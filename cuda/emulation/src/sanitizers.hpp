#pragma once

#include <cstddef>

// What the sanitizers must be told; without them, nothing. Some sources are compiled without instrumentation,
// which also takes the compiler's macros away: for these, the build defines PERCEPTS_EMULATION_TSAN.

#if defined(__SANITIZE_THREAD__) || defined(PERCEPTS_EMULATION_TSAN)
#define PERCEPTS_THREAD_SANITIZER 1
#include <sanitizer/tsan_interface.h>
#else
#define PERCEPTS_THREAD_SANITIZER 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define PERCEPTS_ADDRESS_SANITIZER 1
#include <sanitizer/asan_interface.h>
#else
#define PERCEPTS_ADDRESS_SANITIZER 0
#endif

namespace percepts::cuda::emulation {

/// Orders what the calling thread did before what others do after acquiring the same address.
inline void release_order([[maybe_unused]] void* address) {
#if PERCEPTS_THREAD_SANITIZER
  __tsan_release(address);
#endif
}

inline void acquire_order([[maybe_unused]] void* address) {
#if PERCEPTS_THREAD_SANITIZER
  __tsan_acquire(address);
#endif
}

inline void forbid_access([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if PERCEPTS_ADDRESS_SANITIZER
  __asan_poison_memory_region(begin, bytes);
#endif
}

inline void allow_access([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if PERCEPTS_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(begin, bytes);
#endif
}

}  // namespace percepts::cuda::emulation

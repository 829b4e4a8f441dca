#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace percepts::cuda::emulation {

enum class MemoryKind { device, pinned };

/// Memory between red zones, and these between pages that nobody can touch:
/// guard page | red zone | memory | red zone, up to the end of a page | guard page.
struct Allocation {
  MemoryKind kind;
  int device;
  std::byte* mapping;
  std::size_t mapping_bytes;
  std::byte* begin;
  std::size_t bytes;
};

/// All memory that the emulation has given out. A device's memory can be touched only while the device works,
/// so that host code that follows a device's pointer ends as it does with a real device. Freed memory stays
/// untouchable.
class Memory {
 public:
  /// Null when there is no memory.
  void* allocate(MemoryKind kind, int device, std::size_t bytes);
  /// The memory that holds this address, if any; its begin and one past its end count, too.
  const Allocation* find(const void* address) const;
  /// Which memory an address belongs to that nobody could touch, and why; empty where it is none of ours.
  std::string describe(const void* address) const;
  /// Takes the beginning of an allocation.
  void release(const void* begin);

  /// While one lives, the memory of a device can be touched. At its end, red zones are checked: who wrote
  /// outside of memory ends the program, and the message names `work`.
  class Opened {
   public:
    Opened(Memory& memory, int device, std::string_view work);
    ~Opened();
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

   private:
    Memory& memory_;
    int device_;
    std::string work_;
  };

 private:
  static constexpr std::size_t zone_bytes = 256;  // also the alignment of memory
  static constexpr std::size_t max_retired = 1024;

  static std::byte* pages(const Allocation& allocation);
  static std::size_t pages_bytes(const Allocation& allocation);
  static void check_red_zones(const Allocation& allocation, std::string_view when);
  void protect(int device, int protection) const;

  std::map<std::uintptr_t, Allocation> live_;
  std::deque<Allocation> retired_;  // unmapped late, so that their addresses are not soon given out again
};

}  // namespace percepts::cuda::emulation

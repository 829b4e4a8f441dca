#include "memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <iterator>
#include <string>

#include "access_fault.hpp"
#include "fault.hpp"
#include "pages.hpp"
#include "poison.hpp"
#include "sanitizers.hpp"

namespace percepts::cuda::emulation {

std::byte* Memory::pages(const Allocation& allocation) { return allocation.mapping + page_bytes(); }

std::size_t Memory::pages_bytes(const Allocation& allocation) {
  return allocation.mapping_bytes - 2 * page_bytes();
}

void* Memory::allocate(MemoryKind kind, int device, std::size_t bytes) {
  const std::size_t page = page_bytes();
  if (bytes > std::size_t{1} << 46) return nullptr;
  explain_access_faults();
  const std::size_t pages = (bytes + 2 * zone_bytes + page - 1) / page;
  const std::size_t mapping_bytes = (pages + 2) * page;
  void* const mapping =
      mmap(nullptr, mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(mapping) + page;
  const Allocation allocation{.kind = kind,
                              .device = device,
                              .mapping = static_cast<std::byte*>(mapping),
                              .mapping_bytes = mapping_bytes,
                              .begin = first + zone_bytes,
                              .bytes = bytes};
  mprotect(first, pages * page, PROT_READ | PROT_WRITE);
  std::memset(first, zone_byte, pages * page);
  std::memset(allocation.begin, poison_byte, bytes);
  forbid_access(first, zone_bytes);
  forbid_access(allocation.begin + bytes, pages * page - zone_bytes - bytes);
  if (kind == MemoryKind::device) mprotect(first, pages * page, PROT_NONE);
  live_.emplace(reinterpret_cast<std::uintptr_t>(allocation.begin), allocation);
  return allocation.begin;
}

const Allocation* Memory::find(const void* address) const {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  auto after = live_.upper_bound(number);
  if (after == live_.begin()) return nullptr;
  const Allocation& candidate = std::prev(after)->second;
  return number <= reinterpret_cast<std::uintptr_t>(candidate.begin) + candidate.bytes ? &candidate : nullptr;
}

std::string Memory::describe(const void* pointer) const {
  const auto* const address = static_cast<const std::byte*>(pointer);
  const auto is_in = [address](const Allocation& allocation) {
    return address >= allocation.mapping && address < allocation.mapping + allocation.mapping_bytes;
  };
  const auto name = [](const Allocation& allocation) {
    return "an allocation of " + std::to_string(allocation.bytes) + " bytes of device " +
           std::to_string(allocation.device);
  };
  for (const auto& [begin, allocation] : live_) {
    if (!is_in(allocation)) continue;
    const bool inside = address >= allocation.begin && address < allocation.begin + allocation.bytes;
    return (inside ? "" : "what lies beside ") + name(allocation) +
           (inside ? ", which only that device can touch" : "");
  }
  for (const Allocation& allocation : retired_) {
    if (is_in(allocation)) return name(allocation) + " that was freed";
  }
  return {};
}

void Memory::release(const void* begin) {
  const auto found = live_.find(reinterpret_cast<std::uintptr_t>(begin));
  const Allocation allocation = found->second;
  if (allocation.kind == MemoryKind::device) {
    mprotect(pages(allocation), pages_bytes(allocation), PROT_READ);
  }
  check_red_zones(allocation, "before the memory was freed");
  forbid_access(pages(allocation), pages_bytes(allocation));
  mprotect(pages(allocation), pages_bytes(allocation), PROT_NONE);
  madvise(pages(allocation), pages_bytes(allocation), MADV_DONTNEED);
  live_.erase(found);
  retired_.push_back(allocation);
  if (retired_.size() > max_retired) {
    const Allocation& oldest = retired_.front();
    allow_access(oldest.mapping, oldest.mapping_bytes);
    munmap(oldest.mapping, oldest.mapping_bytes);
    retired_.pop_front();
  }
}

// Under the address sanitizer, it is what guards red zones.
void Memory::check_red_zones([[maybe_unused]] const Allocation& allocation,
                             [[maybe_unused]] std::string_view when) {
#if !PERCEPTS_ADDRESS_SANITIZER
  const std::byte* const end = allocation.begin + allocation.bytes;
  const auto rest = static_cast<std::size_t>(pages(allocation) + pages_bytes(allocation) - end);
  if (holds_only(allocation.begin - zone_bytes, zone_bytes, zone_byte) && holds_only(end, rest, zone_byte)) {
    return;
  }
  fault("somebody wrote outside of an allocation of " + std::to_string(allocation.bytes) +
        " bytes; noticed " + std::string(when));
#endif
}

void Memory::protect(int device, int protection) const {
  for (const auto& [begin, allocation] : live_) {
    if (allocation.kind == MemoryKind::device && allocation.device == device) {
      mprotect(pages(allocation), pages_bytes(allocation), protection);
    }
  }
}

Memory::Opened::Opened(Memory& memory, int device, std::string_view work)
    : memory_(memory), device_(device), work_(work) {
  memory_.protect(device_, PROT_READ | PROT_WRITE);
}

Memory::Opened::~Opened() {
  for (const auto& [begin, allocation] : memory_.live_) {
    if (allocation.kind == MemoryKind::pinned || allocation.device == device_) {
      check_red_zones(allocation, "after " + work_);
    }
  }
  memory_.protect(device_, PROT_NONE);
}

}  // namespace percepts::cuda::emulation

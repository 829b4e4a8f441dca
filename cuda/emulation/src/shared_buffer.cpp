#include "shared_buffer.hpp"

#include <algorithm>
#include <cstdint>

#include "poison.hpp"
#include "sanitizers.hpp"

namespace percepts::cuda::emulation {

SharedBuffer::~SharedBuffer() { allow_all(); }

void SharedBuffer::allow_all() { allow_access(memory_.data(), memory_.size()); }

void SharedBuffer::prepare(std::size_t bytes) {
  allow_all();
  bytes_ = bytes;
  memory_.resize(std::max(memory_.size(), bytes + 2 * zone_bytes));
  std::fill(memory_.begin(), memory_.end(), static_cast<std::byte>(zone_byte));
  std::fill_n(memory_.begin() + zone_bytes, bytes, static_cast<std::byte>(poison_byte));
  forbid_access(memory_.data(), zone_bytes);
  forbid_access(memory_.data() + zone_bytes + bytes, memory_.size() - zone_bytes - bytes);
}

bool SharedBuffer::is_intact() const {
#if PERCEPTS_ADDRESS_SANITIZER
  return true;  // a write would have been reported when it was made
#else
  return holds_only(memory_.data(), zone_bytes, zone_byte) &&
         holds_only(memory_.data() + zone_bytes + bytes_, memory_.size() - zone_bytes - bytes_, zone_byte);
#endif
}

void* SharedBuffer::data() { return memory_.data() + zone_bytes; }  // operator new aligns to 16 bytes

}  // namespace percepts::cuda::emulation

#pragma once

#include <cstddef>
#include <vector>

namespace percepts::cuda::emulation {

/// The dynamic shared memory of a block, between zones that nobody may write.
class SharedBuffer {
 public:
  ~SharedBuffer();
  /// Fills the memory with poison.
  void prepare(std::size_t bytes);
  bool is_intact() const;
  void* data();

 private:
  static constexpr std::size_t zone_bytes = 64;

  void allow_all();

  std::vector<std::byte> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace percepts::cuda::emulation

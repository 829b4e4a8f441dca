#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fuzz {

/// Makes new inputs from old ones. The same seed gives the same inputs.
class Mutator {
 public:
  Mutator(std::uint64_t seed, std::vector<std::string> dictionary);

  /// A few changes to `input`; `other` gives pieces.
  std::string mutated(std::string input, const std::string& other);

  /// A number below `count`, which is at least 1.
  std::size_t below(std::size_t count);

 private:
  void change(std::string& input, const std::string& other);
  std::string piece(const std::string& of);

  std::mt19937_64 random_;
  std::vector<std::string> dictionary_;
};

}  // namespace fuzz

// Programs are found in any prose, and found again where only their texts are left.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "round_trip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto programs = percepts::find_programs({reinterpret_cast<const char*>(data), size});
  std::string texts;
  for (const percepts::Program& program : programs) {
    fuzz::require_round_trip(program);
    texts.append("> ").append(to_text(program));
  }
  fuzz::require(percepts::find_programs(texts) == programs, "the same programs are found in their texts",
                texts);
  return 0;
}

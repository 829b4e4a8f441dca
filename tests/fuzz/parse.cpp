// Any text is a program or a ParseError, and a program comes back from its own text.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "percepts/error.hpp"
#include "round_trip.hpp"

namespace {

std::optional<percepts::Program> parsed(std::string_view text) {
  try {
    return percepts::parse(text);
  } catch (const percepts::ParseError&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const auto program = parsed({reinterpret_cast<const char*>(data), size})) {
    fuzz::require_round_trip(*program);
  }
  return 0;
}

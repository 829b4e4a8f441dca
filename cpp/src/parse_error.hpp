#pragma once

#include <cstddef>
#include <string_view>

namespace percepts::parsing {

/// Where something stands in the text: its line, counted from 1, and what it is called.
struct Place {
  std::size_t line = 0;
  std::string_view name;
};

/// Throws ParseError: what is required at a place, and what was found there.
[[noreturn]] void refuse(const Place& place, std::string_view requirement, std::string_view got);

}  // namespace percepts::parsing

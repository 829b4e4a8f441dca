#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "percepts/program.hpp"

namespace fuzz {

/// Ends the process where a property does not hold; the engine keeps the input.
inline void require(bool holds, std::string_view property, std::string_view detail) {
  if (holds) return;
  std::cerr << "does not hold: " << property << '\n' << detail << '\n';
  std::abort();
}

/// What was read prints, in every style, a text that reads as the same program and prints the same text.
inline void require_round_trip(const percepts::Program& program) {
  for (const auto style : {percepts::Style::paper, percepts::Style::json, percepts::Style::compact}) {
    const std::string text = to_text(program, style);
    const percepts::Program again = percepts::parse(text);
    require(to_text(again, style) == text, "the text is a fixed point", text);
    require(again == program, "the text reads as an equal program", text);
  }
}

}  // namespace fuzz

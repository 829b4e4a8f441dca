// Compares the text of readings with the standard library's, for each STEP-th float32 from FIRST to LAST.
//
//   exhaustive_numbers FIRST LAST [STEP]
//
// Both are not negative; of each reading the negative is compared, too. `exhaustive_numbers 0 3.4028235e38`
// takes some minutes.

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string_view>

#include "expected_number.hpp"
#include "src/reading_text.hpp"

namespace {

template <class Number>
Number parsed(std::string_view argument) {
  Number number{};
  const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), number);
  if (error != std::errc() || end != argument.data() + argument.size() || number < 0) {
    std::cerr << "exhaustive_numbers: not a number of 0 or more: " << argument << '\n';
    std::exit(2);
  }
  return number;
}

bool prints_as_expected(float reading) {
  std::array<char, percepts::reading_room> room;
  const char* const end = percepts::write_reading(room.data(), reading);
  const std::string_view text(room.data(), static_cast<std::size_t>(end - room.data()));
  const std::string expected = expected_number(static_cast<double>(reading));
  if (text == expected) return true;
  std::cerr << "expected " << expected << ", got " << text << '\n';
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3 && count != 4) {
    std::cerr << "usage: exhaustive_numbers FIRST LAST [STEP]\n";
    return 2;
  }
  const auto first = std::bit_cast<std::uint32_t>(parsed<float>(arguments[1]));
  const auto last = std::bit_cast<std::uint32_t>(parsed<float>(arguments[2]));
  const std::uint64_t step = count == 4 ? parsed<std::uint64_t>(arguments[3]) : 1;
  if (step == 0) {
    std::cerr << "exhaustive_numbers: STEP must be 1 or more\n";
    return 2;
  }
  std::uint64_t compared = 0;
  std::uint64_t differences = 0;
  for (std::uint64_t bits = first; bits <= last; bits += step) {
    const auto reading = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    compared += 2;
    differences += !prints_as_expected(reading);
    differences += !prints_as_expected(-reading);
  }
  std::cout << compared << " readings, " << differences << " differences\n";
  return differences == 0 && compared > 0 ? 0 : 1;
}

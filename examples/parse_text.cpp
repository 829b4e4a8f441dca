// Reads a model's answer on standard input and lists the readings of the programs in it.
//
// usage: parse_text < answer.txt

#include <cstddef>
#include <iostream>
#include <iterator>
#include <string>
#include <variant>

#include "percepts/percepts.hpp"

namespace {

std::string words(const percepts::Value& value) {
  std::string line;
  for (const percepts::Scalar& scalar : value.scalars)
    line.append(line.empty() ? "" : " ").append(scalar.text);
  return line;
}

/// What a parsed program has in one field of one item.
std::string words(const percepts::Column& column, std::size_t item) {
  const auto* parsed = std::get_if<percepts::column::Values>(&column);
  if (parsed == nullptr || !parsed->values[item]) return "-";
  return words(*parsed->values[item]);
}

}  // namespace

int main() {
  const std::string answer{std::istreambuf_iterator<char>(std::cin), {}};
  for (const percepts::Program& program : percepts::find_programs(answer)) {
    std::cout << program.modality << ": " << program.size << " items\n";
    for (std::size_t item = 0; item < program.size; ++item) {
      std::cout << words(program.p, item) << '\t' << words(program.r, item) << '\n';
    }
  }
}

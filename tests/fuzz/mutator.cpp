#include "mutator.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fuzz {
namespace {

constexpr std::size_t longest_input = 4096;
constexpr std::string_view telling_bytes("\0\n\r\t \"'\\[](){},:-=<>#.0159eEnp\x7F\x80\xC2\xE2\xED\xF0\xFF",
                                         37);

/// Where the next line after `at` begins.
std::size_t line_start(const std::string& text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string::npos ? text.size() : end + 1;
}

}  // namespace

Mutator::Mutator(std::uint64_t seed, std::vector<std::string> dictionary)
    : random_(seed), dictionary_(std::move(dictionary)) {
  if (dictionary_.empty()) dictionary_.emplace_back("\n");
}

std::size_t Mutator::below(std::size_t count) { return random_() % count; }

std::string Mutator::piece(const std::string& of) {
  if (of.empty()) return of;
  const std::size_t start = below(of.size());
  return of.substr(start, 1 + below(std::min<std::size_t>(of.size() - start, 1 + below(64))));
}

std::string Mutator::mutated(std::string input, const std::string& other) {
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(input, other);
  if (input.size() > longest_input) input.resize(longest_input);
  return input;
}

void Mutator::change(std::string& input, const std::string& other) {
  const std::size_t at = below(input.size() + 1);
  const char byte = telling_bytes[below(telling_bytes.size())];
  switch (below(12)) {
    case 0:
      if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
      break;
    case 1:
      if (at < input.size()) input[at] = byte;
      break;
    case 2:
      input.insert(at, 1, byte);
      break;
    case 3:
      input.erase(at, 1 + below(1 + below(32)));
      break;
    case 4:
      input.insert(at, piece(input));
      break;
    case 5:
      input.insert(at, piece(other));
      break;
    case 6:
      input.insert(at, dictionary_[below(dictionary_.size())]);
      break;
    case 7: {
      const std::string& word = dictionary_[below(dictionary_.size())];
      input.replace(at, std::min(word.size(), input.size() - at), word);
      break;
    }
    case 8: {
      const std::size_t digit = input.find_first_of("0123456789", at);
      if (digit != std::string::npos) input[digit] = static_cast<char>('0' + below(10));
      break;
    }
    case 9: {
      const std::size_t start = line_start(input, at);
      input.erase(start, line_start(input, start) - start);
      break;
    }
    case 10: {
      const std::size_t start = line_start(other, below(other.size() + 1));
      input.insert(line_start(input, at), other, start, line_start(other, start) - start);
      break;
    }
    default:
      input = input.substr(0, at) + other.substr(below(other.size() + 1));
      break;
  }
}

}  // namespace fuzz

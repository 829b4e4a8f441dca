#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "percepts/program.hpp"

namespace percepts::parsing {

/// The fields of an item, in the order in which they are printed.
inline constexpr std::array<std::string_view, 5> fields{"p", "i", "c", "r", "b"};

/// The values of an item's fields, in that order.
using Item = std::array<std::optional<Value>, fields.size()>;

/// A program, and the line on which each of its items starts.
struct Parsed {
  Program program;
  std::vector<std::size_t> lines;
};

/// Gathers items into a program's columns.
class Items {
 public:
  void add(std::size_t line, Item item);

  std::size_t size() const { return lines_.size(); }

  void move_to(Parsed& parsed);

 private:
  std::array<std::vector<std::optional<Value>>, fields.size()> columns_;
  std::vector<std::size_t> lines_;
};

}  // namespace percepts::parsing

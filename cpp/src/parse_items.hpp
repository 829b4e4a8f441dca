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

/// Gathers items into a program's columns.
class Items {
 public:
  void add(Item item);

  std::size_t size() const { return columns_[0].size(); }

  void move_to(Program& program);

 private:
  std::array<std::vector<std::optional<Value>>, fields.size()> columns_;
};

}  // namespace percepts::parsing

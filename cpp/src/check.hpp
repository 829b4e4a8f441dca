#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "percepts/program.hpp"

namespace percepts {

/// An item whose p an earlier item has.
struct RepeatedId {
  std::size_t index = 0;
  std::string message;
};

/// The first such item of a program whose columns are whole.
std::optional<RepeatedId> repeated_id(const Program& program);

}  // namespace percepts

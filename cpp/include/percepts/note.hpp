#pragma once

#include <string>
#include <variant>

namespace percepts {

struct BuiltInNote {};
struct NoNote {};

/// The note of a program: the modality's own, none, or a text (UTF-8).
using Note = std::variant<BuiltInNote, NoNote, std::string>;

}  // namespace percepts

#pragma once

#include <string>
#include <variant>

namespace percepts {

/// The modality's own note: what p, c and r mean, in one paragraph.
struct BuiltInNote {};

/// No note: its key is left out of the text.
struct NoNote {};

/// The note of a program: the modality's own, none, or a text (UTF-8).
using Note = std::variant<BuiltInNote, NoNote, std::string>;

}  // namespace percepts

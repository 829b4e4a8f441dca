#pragma once

#include <string>
#include <string_view>

#include "percepts/program.hpp"

namespace percepts {

/// Appends a number without the zero before its point.
void append_compact_number(std::string& out, std::string_view digits);

/// Appends a text: bare when it is a word without spaces, else quoted.
void append_compact_text(std::string& out, std::string_view text);

std::string compact_scalar(const Scalar& scalar);

}  // namespace percepts

#pragma once

#include <string>
#include <string_view>

namespace percepts {

/// Appends a string in double quotes, escaped so that it can neither end the block, nor add a key, nor turn
/// into another type, and so that no control or direction mark in it goes unseen. Bytes that are not UTF-8
/// become U+FFFD.
void append_quoted(std::string& out, std::string_view text);

}  // namespace percepts

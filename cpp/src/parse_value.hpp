#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse_error.hpp"
#include "percepts/program.hpp"

namespace percepts::parsing {

/// Reads the value of an item's field; the place's name is the field.
Value value(const Place& place, std::string_view text);

/// Splits a bracketed list into its elements, each as it is written.
std::vector<std::string_view> split_list(const Place& place, std::string_view text, char closing = ']');

/// Reads a text: a double-quoted string or a bare word.
std::string text_value(const Place& place, std::string_view text);

/// Reads a number: its digits as they are, but a bare exponent gets a fraction and a sign, and −0 is 0.
Scalar number(const Place& place, std::string_view text);

/// Reads a bare word, or several with single spaces between them. Throws ParseError with the requirement.
std::string word(const Place& place, std::string_view text, std::string_view requirement);

/// Whether word() takes this text.
bool is_word(std::string_view text);

/// Whether what stands here is meant to be a number.
bool starts_like_number(std::string_view text);

/// Whether this is a number as it is printed.
bool is_number(std::string_view text);

/// Reads a number of rows or columns.
std::int32_t count(const Place& place, std::string_view text);

}  // namespace percepts::parsing

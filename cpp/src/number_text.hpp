#pragma once

#include <string>

namespace percepts {

/// Appends a finite number as C's printf prints it with `%.<precision>g` in the C locale, except that a bare
/// exponent gets a fraction (YAML 1.1 reads `1e-05` as text) and that −0 is 0.
void append_general(std::string& out, double value, int precision);

/// Appends a whole number.
void append_integer(std::string& out, long long value);

}  // namespace percepts

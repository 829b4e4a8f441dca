#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "percepts/program.hpp"

namespace percepts {

// Values of programs that are made by hand.

/// A whole number.
Scalar integer(std::int64_t value);

/// Most characters of a number: what Python's int() takes unless told otherwise, and parse() takes, too.
inline constexpr std::size_t longest_number = 4300;

/// A whole number of up to so many characters, as digits with an optional minus sign and no zero in front of
/// others. Throws InvalidArgument for anything else.
Scalar integer(std::string digits);

/// A real as `%.6g` prints it. Throws InvalidArgument for NaN and infinities, naming `where`.
Scalar real(double value, std::string_view where);

/// The value that a finite reading prints in this format, read again.
double printed_reading(float reading, NumberFormat format);

/// A text.
Scalar text(std::string utf8);

/// The gate for programs made by hand, before their text: to_text(), to_json() and == read a program's
/// columns without looking at their length.
///
/// Throws InvalidArgument unless each column has a value for each item (indices within its words, scalars in
/// its values), a grid has cells, numbers are written as parse() reads them, relations of cells have their
/// predicate and are between two of the items, and an item's p (in jigsaw p and i together), as printed, is
/// unique. The number 1 and the text "1" are one p, since the text `p=1` would name both.
void check(const Program& program);

/// Makes each end of a relation the p that it names: the number if an item has it, else the text if an item
/// has that; where no item has either, a number if it can be.
void resolve_relations(Program& program);

}  // namespace percepts

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "percepts/program.hpp"
#include "src/words.hpp"

namespace percepts {

/// Whether item `index` has this field.
bool has_value(const Column& column, std::size_t index);

/// Appends the field of item `index`, which has it. Strings among `fixed` stand bare.
void append_value(std::string& out, const Column& column, std::size_t index, words::Words fixed);

/// Appends a string: bare when it is among `fixed`, else quoted.
void append_word_or_quoted(std::string& out, std::string_view text, words::Words fixed);

/// The fixed words that p may be in this modality.
words::Words words_of_p(std::string_view modality);

}  // namespace percepts

#include "src/value_text.hpp"

#include <cmath>

#include "src/escape.hpp"
#include "src/number_text.hpp"

namespace percepts {
namespace {

/// Appends `[first, second, …]`, each element by `append_element(k)`.
template <class AppendElement>
void append_list(std::string& out, std::size_t size, AppendElement append_element) {
  out += '[';
  for (std::size_t k = 0; k < size; ++k) {
    if (k != 0) out += ", ";
    append_element(k);
  }
  out += ']';
}

struct AppendValue {
  std::string& out;
  std::size_t index;
  words::Words fixed;

  void operator()(const column::Absent&) const {}

  void operator()(const column::Ordinal&) const { append_integer(out, static_cast<long long>(index) + 1); }

  void operator()(const column::Integers& column) const {
    const std::int32_t* first = column.values.data() + index * column.width;
    append_list(out, column.width, [&](std::size_t k) { append_integer(out, first[k]); });
  }

  void operator()(const column::Reals& column) const {
    const float* first = column.values.data() + index * column.width;
    if (std::isnan(*first)) {
      out += unknown;
      return;
    }
    if (column.width == 1) {
      append_real(out, *first, column.format);
      return;
    }
    append_list(out, column.width, [&](std::size_t k) { append_real(out, first[k], column.format); });
  }

  void operator()(const column::Words& column) const { out += column.words[column.index[index]]; }

  void operator()(const column::Labels& column) const {
    append_quoted(out, column.names[static_cast<std::size_t>(column.index[index])]);
  }

  void operator()(const column::Values& column) const {
    const Value& value = *column.values[index];
    if (!value.is_list) {
      append(value.scalars.front());
      return;
    }
    append_list(out, value.scalars.size(), [&](std::size_t k) { append(value.scalars[k]); });
  }

  void append(const Scalar& scalar) const {
    if (scalar.kind == Scalar::Kind::number) {
      out += scalar.text;
    } else {
      append_word_or_quoted(out, scalar.text, fixed);
    }
  }
};

}  // namespace

bool has_value(const Column& column, std::size_t index) {
  if (const auto* values = std::get_if<column::Values>(&column)) return values->values[index].has_value();
  return !std::holds_alternative<column::Absent>(column);
}

void append_value(std::string& out, const Column& column, std::size_t index, words::Words fixed) {
  std::visit(AppendValue{out, index, fixed}, column);
}

void append_word_or_quoted(std::string& out, std::string_view text, words::Words fixed) {
  if (words::contain(fixed, text)) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

words::Words words_of_p(std::string_view modality) {
  return modality == "jigsaw" ? words::Words(words::borders) : words::Words();
}

}  // namespace percepts

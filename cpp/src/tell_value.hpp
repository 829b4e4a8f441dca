#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "percepts/program.hpp"
#include "src/number_text.hpp"

namespace percepts {

/// How a style writes the value of a field: it is told `open(size)`, `next()` and `close(size)` of a list,
/// and `number(digits)` or `text(utf8)` of each scalar.
template <class Notation>
class TellValue {
 public:
  TellValue(std::size_t index, Notation& notation) : index_(index), notation_(notation) {}

  void operator()(const column::Absent&) const {}

  void operator()(const column::Ordinal&) const { notation_.number(std::to_string(index_ + 1)); }

  void operator()(const column::Integers& column) const {
    const std::int32_t* first = column.values.data() + index_ * column.width;
    list(column.width, [&](std::size_t k) { notation_.number(std::to_string(first[k])); });
  }

  void operator()(const column::Reals& column) const {
    const float* first = column.values.data() + index_ * column.width;
    if (std::isnan(*first)) {
      notation_.text(unknown);
      return;
    }
    if (column.width == 1) {
      real(*first, column.format);
    } else {
      list(column.width, [&](std::size_t k) { real(first[k], column.format); });
    }
  }

  void operator()(const column::Words& column) const { notation_.text(column.words[column.index[index_]]); }

  void operator()(const column::Labels& column) const {
    notation_.text(column.names[static_cast<std::size_t>(column.index[index_])]);
  }

  void operator()(const column::Values& column) const {
    const Value& value = *column.values[index_];
    if (value.is_list) {
      list(value.scalars.size(), [&](std::size_t k) { scalar(value.scalars[k]); });
    } else {
      scalar(value.scalars.front());
    }
  }

 private:
  template <class TellElement>
  void list(std::size_t size, TellElement tell_element) const {
    notation_.open(size);
    for (std::size_t k = 0; k < size; ++k) {
      if (k != 0) notation_.next();
      tell_element(k);
    }
    notation_.close(size);
  }

  void real(float value, NumberFormat format) const {
    std::string digits;
    append_real(digits, value, format);
    notation_.number(digits);
  }

  void scalar(const Scalar& scalar) const {
    if (scalar.kind == Scalar::Kind::number) {
      notation_.number(scalar.text);
    } else {
      notation_.text(scalar.text);
    }
  }

  std::size_t index_;
  Notation& notation_;
};

/// Tells the field of item `index`, which has it.
template <class Notation>
void tell_value(const Column& column, std::size_t index, Notation& notation) {
  std::visit(TellValue<Notation>(index, notation), column);
}

}  // namespace percepts

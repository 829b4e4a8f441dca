#include "items.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "percepts/values.hpp"
#include "strings.hpp"

namespace percepts::bindings {
namespace {

py::object owned(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

py::object plain_integer(const std::string& digits) {
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [read, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc() && read == end) return py::int_(value);
  return owned(PyLong_FromString(digits.c_str(), nullptr, 10));
}

/// A list of `size` elements, each made by `element(k)`.
template <class Element>
py::object list_of(std::size_t size, Element element) {
  py::list list(size);
  for (std::size_t k = 0; k < size; ++k) {
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(k), element(k).release().ptr());
  }
  return list;
}

/// One field of all items, as plain Python values; None where an item has none. Words and names are made
/// once.
class PlainColumn {
 public:
  explicit PlainColumn(const Column& column) : column_(column), unknown_(str_of(unknown)) {
    if (const auto* words = std::get_if<column::Words>(&column)) {
      for (const std::string_view word : words->words) words_.push_back(str_of(word));
    }
    if (const auto* labels = std::get_if<column::Labels>(&column)) {
      for (const std::string& name : labels->names) words_.push_back(str_of(name));
    }
  }

  py::object at(std::size_t index) const {
    return std::visit([&](const auto& column) { return value(column, index); }, column_);
  }

 private:
  static py::object value(const column::Absent&, std::size_t) { return py::none(); }

  static py::object value(const column::Ordinal&, std::size_t index) { return py::int_(index + 1); }

  static py::object value(const column::Integers& column, std::size_t index) {
    const std::int32_t* const first = column.values.data() + index * column.width;
    return list_of(column.width, [&](std::size_t k) { return py::int_(first[k]); });
  }

  py::object value(const column::Reals& column, std::size_t index) const {
    const float* const first = column.values.data() + index * column.width;
    if (std::isnan(*first)) return unknown_;
    if (column.width == 1) return py::float_(printed_reading(*first, column.format));
    return list_of(column.width,
                   [&](std::size_t k) { return py::float_(printed_reading(first[k], column.format)); });
  }

  py::object value(const column::Words& column, std::size_t index) const {
    return words_[column.index[index]];
  }

  py::object value(const column::Labels& column, std::size_t index) const {
    return words_[static_cast<std::size_t>(column.index[index])];
  }

  static py::object value(const column::Values& column, std::size_t index) {
    const std::optional<Value>& value = column.values[index];
    if (!value) return py::none();
    if (!value->is_list) return plain_scalar(value->scalars.front());
    return list_of(value->scalars.size(), [&](std::size_t k) { return plain_scalar(value->scalars[k]); });
  }

  const Column& column_;
  py::str unknown_;
  std::vector<py::str> words_;
};

constexpr std::array<const char*, 5> names{"p", "i", "c", "r", "b"};

/// The five fields of all items.
class PlainItems {
 public:
  explicit PlainItems(const Program& program)
      : columns_{PlainColumn(program.p), PlainColumn(program.i), PlainColumn(program.c),
                 PlainColumn(program.r), PlainColumn(program.b)} {
    for (std::size_t k = 0; k < names.size(); ++k) names_[k] = owned(PyUnicode_InternFromString(names[k]));
  }

  /// Sets the slots of a new object, whose class forbids it to everybody else and whose constructor takes ten
  /// times as long.
  py::object item(std::size_t index, const py::type& item_type) const {
    auto* const type = reinterpret_cast<PyTypeObject*>(item_type.ptr());
    py::object item = owned(type->tp_alloc(type, 0));
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const py::object value = columns_[k].at(index);
      if (PyObject_GenericSetAttr(item.ptr(), names_[k].ptr(), value.ptr()) != 0)
        throw py::error_already_set();
    }
    return item;
  }

  py::dict dict(std::size_t index) const {
    py::dict fields;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      py::object value = columns_[k].at(index);
      if (!value.is_none()) fields[names_[k]] = std::move(value);
    }
    return fields;
  }

 private:
  std::array<PlainColumn, names.size()> columns_;
  std::array<py::object, names.size()> names_;
};

/// Keeps the garbage collector from searching again and again through millions of new objects, none of them
/// garbage.
class WithoutCollector {
 public:
  WithoutCollector() : was_enabled_(PyGC_Disable()) {}
  WithoutCollector(const WithoutCollector&) = delete;
  WithoutCollector& operator=(const WithoutCollector&) = delete;
  ~WithoutCollector() {
    if (was_enabled_ != 0) PyGC_Enable();
  }

 private:
  int was_enabled_;
};

}  // namespace

py::object plain_scalar(const Scalar& scalar) {
  if (scalar.kind == Scalar::Kind::text) return str_of(scalar.text);
  const bool is_float = scalar.text.find('.') != std::string::npos;
  if (!is_float) return plain_integer(scalar.text);
  const double value = PyOS_string_to_double(scalar.text.c_str(), nullptr, nullptr);
  if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return py::float_(value);
}

py::tuple items_of(const Program& program, const py::type& item_type) {
  const WithoutCollector paused;
  const PlainItems items(program);
  py::tuple tuple(program.size);
  for (std::size_t index = 0; index < program.size; ++index) {
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(index),
                     items.item(index, item_type).release().ptr());
  }
  return tuple;
}

py::object item_of(const Program& program, std::size_t index, const py::type& item_type) {
  if (index >= program.size) throw py::index_error("the program has no such item");
  return PlainItems(program).item(index, item_type);
}

py::list dicts_of(const Program& program) {
  const WithoutCollector paused;
  const PlainItems items(program);
  py::list list(program.size);
  for (std::size_t index = 0; index < program.size; ++index) {
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(index), items.dict(index).release().ptr());
  }
  return list;
}

}  // namespace percepts::bindings

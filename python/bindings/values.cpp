#include "percepts/values.hpp"

#include <pybind11/numpy.h>

#include <cmath>

#include "values.hpp"

namespace percepts::bindings {
namespace {

bool is_instance_of(const py::handle& value, const char* numpy_type) {
  return py::isinstance(value, py::module_::import("numpy").attr(numpy_type));
}

bool is_integer(const py::handle& value) {
  return (PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr())) || is_instance_of(value, "integer");
}

bool is_real(const py::handle& value) {
  return PyFloat_Check(value.ptr()) || is_instance_of(value, "floating");
}

bool is_list(const py::handle& value) { return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()); }

double double_of(const py::handle& value) { return py::float_(py::reinterpret_borrow<py::object>(value)); }

bool is_hole(const py::handle& value) { return is_real(value) && !std::isfinite(double_of(value)); }

Value single(Scalar scalar) { return {.is_list = false, .scalars = {std::move(scalar)}}; }

Value unknown_reading() { return single(text(std::string(unknown))); }

/// `is_reading` decides whether elements that are not finite are unknown.
Value list_of(const py::handle& values, const std::string& where, bool is_reading) {
  Value list{.is_list = true, .scalars = {}};
  for (const py::handle& element : py::reinterpret_borrow<py::sequence>(values)) {
    const std::string place = where + "[" + std::to_string(list.scalars.size()) + "]";
    list.scalars.push_back(is_reading && is_hole(element) ? text(std::string(unknown))
                                                          : scalar_of(element, place));
  }
  return list;
}

bool has_only_holes(const py::handle& values) {
  const auto sequence = py::reinterpret_borrow<py::sequence>(values);
  for (const py::handle& element : sequence) {
    if (!is_hole(element)) return false;
  }
  return sequence.size() > 0;
}

struct PythonValue {
  std::size_t index;

  py::object operator()(const column::Absent&) const { return py::none(); }

  py::object operator()(const column::Ordinal&) const { return py::int_(index + 1); }

  py::object operator()(const column::Integers& column) const {
    py::list list;
    for (std::size_t k = 0; k < column.width; ++k) list.append(column.values[index * column.width + k]);
    return list;
  }

  py::object operator()(const column::Reals& column) const {
    if (std::isnan(column.values[index * column.width])) return py::str(unknown.data(), unknown.size());
    py::list list;
    for (std::size_t k = 0; k < column.width; ++k) {
      list.append(printed_reading(column.values[index * column.width + k]));
    }
    return list;
  }

  py::object operator()(const column::Words& column) const {
    const std::string_view word = column.words[column.index[index]];
    return py::str(word.data(), word.size());
  }

  py::object operator()(const column::Labels& column) const {
    return py::str(column.names[static_cast<std::size_t>(column.index[index])]);
  }

  py::object operator()(const column::Values& column) const {
    const std::optional<Value>& value = column.values[index];
    if (!value) return py::none();
    if (!value->is_list) return python_scalar(value->scalars.front());
    py::list list;
    for (const Scalar& scalar : value->scalars) list.append(python_scalar(scalar));
    return list;
  }
};

}  // namespace

std::string utf8_of(const py::handle& text) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size))
    return {data, static_cast<std::size_t>(size)};
  PyErr_Clear();
  const py::object joined =
      text.attr("encode")("utf-16", "surrogatepass").attr("decode")("utf-16", "replace");
  return joined.cast<std::string>();
}

Scalar scalar_of(const py::handle& value, const std::string& where) {
  if (PyUnicode_Check(value.ptr())) return text(utf8_of(value));
  if (is_integer(value))
    return integer(std::string(py::str(py::int_(py::reinterpret_borrow<py::object>(value)))));
  if (is_real(value)) return real(double_of(value), where);
  throw py::type_error(where + " must be a str, int, float or a flat list of these, got " +
                       py::type::of(value).attr("__name__").cast<std::string>());
}

std::optional<Value> value_of(const py::handle& value, const std::string& where) {
  if (value.is_none()) return std::nullopt;
  return is_list(value) ? list_of(value, where, false) : single(scalar_of(value, where));
}

std::optional<Value> reading_of(const py::handle& value, const std::string& where) {
  if (value.is_none()) return std::nullopt;
  if (!is_list(value)) return is_hole(value) ? unknown_reading() : single(scalar_of(value, where));
  return has_only_holes(value) ? unknown_reading() : list_of(value, where, true);
}

py::object python_value(const Column& column, std::size_t index) {
  return std::visit(PythonValue{index}, column);
}

py::object python_scalar(const Scalar& scalar) {
  if (scalar.kind == Scalar::Kind::text) return py::str(scalar.text);
  const bool is_float = scalar.text.find('.') != std::string::npos;
  if (is_float) return py::float_(py::str(scalar.text));
  return py::int_(py::str(scalar.text));
}

}  // namespace percepts::bindings

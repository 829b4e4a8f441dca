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

/// All digits of an int, whatever its own class prints.
std::string digits_of(const py::handle& value, const std::string& where) {
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!whole) throw py::error_already_set();
  const auto text = py::reinterpret_steal<py::object>(PyLong_Type.tp_repr(whole.ptr()));
  if (!text && PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw py::error_already_set();
  PyErr_Clear();  // Python's own limit was met
  std::string digits = text ? text.cast<std::string>() : std::string();
  if (!text || digits.size() > longest_number) {
    throw py::value_error(where + " must have at most " + std::to_string(longest_number) +
                          " characters as a number");
  }
  return digits;
}

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

}  // namespace

std::string utf8_of(const py::handle& text) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size))
    return {data, static_cast<std::size_t>(size)};
  PyErr_Clear();
  // Not the methods of the object, whose class may have others.
  const auto encoded =
      py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(text.ptr(), "utf-16", "surrogatepass"));
  if (!encoded) throw py::error_already_set();
  return encoded.attr("decode")("utf-16", "replace").cast<std::string>();
}

Scalar scalar_of(const py::handle& value, const std::string& where) {
  if (PyUnicode_Check(value.ptr())) return text(utf8_of(value));
  if (is_integer(value)) return integer(digits_of(value, where));
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

}  // namespace percepts::bindings

#include "torch.hpp"

namespace percepts::bindings {
namespace {

/// Whether a torch tensor says so. Only torch has these attributes; other libraries' arrays say no.
bool is(const py::object& value, const char* attribute) {
  return py::bool_(py::getattr(value, attribute, py::bool_(false)));
}

/// What torch says of a tensor that it has wrapped, for example inside torch.func.vmap.
std::string storage_problem(const py::object& value) {
  if (!py::hasattr(value, "untyped_storage")) return "";
  try {
    value.attr("untyped_storage")();
  } catch (py::error_already_set& error) {
    const std::string text = py::str(error.value());
    return " (" + text.substr(0, text.find('\n')) + ")";
  }
  return "";
}

}  // namespace

py::object with_sign_in_memory(const py::object& value) {
  static PyObject* const is_neg = PyUnicode_InternFromString("is_neg");
  const auto negative = py::reinterpret_steal<py::object>(PyObject_CallMethodNoArgs(value.ptr(), is_neg));
  if (negative.ptr() == Py_False) return value;
  if (!negative) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    return value;
  }
  return value.attr("resolve_neg")();
}

void check_torch_dtype(const py::object& value, const View& view, std::string_view name) {
  if (view.dtype != DType::int8 && view.dtype != DType::uint8) return;
  const std::string dtype = py::str(py::getattr(value, "dtype", py::str()));
  if (dtype.starts_with("torch.") && dtype.substr(6) != name_of(view.dtype)) throw_bad_dtype(name, dtype);
}

std::string kind_of_tensor(const py::object& value) {
  if (is(value, "is_nested")) return "a nested tensor";
  if (is(value, "is_quantized")) return "a quantized tensor: say .dequantize()";
  if (is(value, "is_meta")) return "a tensor on the meta device";
  const std::string layout = py::str(py::getattr(value, "layout", py::str()));
  if (layout.starts_with("torch.") && layout != "torch.strided") {
    return "a tensor of layout " + layout + ": say .to_dense()";
  }
  return "a " + std::string(py::str(py::type::handle_of(value).attr("__name__"))) + storage_problem(value);
}

}  // namespace percepts::bindings

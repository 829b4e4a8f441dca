#include <array>
#include <new>

#include "arrays.hpp"
#include "module.hpp"
#include "percepts/depth.hpp"
#include "percepts/error.hpp"
#include "without_gil.hpp"

// Calls that come once a frame: pybind11's matching of arguments would take longer than reading a small map.

namespace percepts::bindings {
namespace {

/// Maps of so many pixels are worth letting other threads run meanwhile.
constexpr std::int64_t worth_releasing = 1 << 14;

/// What `call` returns; null with a Python error set for what it throws.
template <class Call>
PyObject* guarded(Call call) {
  try {
    return call();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const InvalidArgument& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

Program depth_of(const Field& field, const DepthOptions& options) {
  if (field.extent.height * field.extent.width < worth_releasing) return depth(field, options);
  const WithoutGil release;
  return depth(field, options);
}

/// depth_by_default(array, grid): the program of one map. For an array on a device its view, so that its
/// library is asked once; None where the array is no plain map, and the long way round says why.
PyObject* depth_by_default(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if (count != 2) throw py::type_error("depth_by_default takes an array and a grid");
    std::optional<View> view = plain_view_of(py::reinterpret_borrow<py::object>(arguments[0]), "depth");
    if (view && view->on_cuda()) return py::cast(std::move(*view)).release().ptr();
    const long grid = PyLong_AsLong(arguments[1]);
    if (grid == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (!view || view->ndim != 2 || grid < 1 || grid > view->shape[0] || grid > view->shape[1]) {
      return py::none().release().ptr();
    }
    DepthOptions options;
    options.grid = {static_cast<std::int32_t>(grid), static_cast<std::int32_t>(grid)};
    return py::cast(depth_of(field_of(*view, py::none(), py::none()), options)).release().ptr();
  });
}

/// depth_of_map(array, options, zero_is_hole): the same with any options for any grid.
PyObject* depth_of_map(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if (count != 3) throw py::type_error("depth_of_map takes an array, options and a flag");
    std::optional<View> view = plain_view_of(py::reinterpret_borrow<py::object>(arguments[0]), "depth");
    if (view && view->on_cuda()) return py::cast(std::move(*view)).release().ptr();
    if (!view || view->ndim != 2) return py::none().release().ptr();
    const auto& options = py::handle(arguments[1]).cast<const DepthOptions&>();
    Field field = field_of(*view, py::none(), py::none());
    constexpr std::array<std::byte, 8> zero{};  // in every dtype
    if (arguments[2] == Py_True) field.sentinels = std::span(zero).first(size_of(field.dtype));
    return py::cast(depth_of(field, options)).release().ptr();
  });
}

PyMethodDef methods[] = {
    // Through void*: a METH_FASTCALL function has another type than the member says.
    {"depth_by_default", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&depth_by_default)),
     METH_FASTCALL, nullptr},
    {"depth_of_map", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&depth_of_map)), METH_FASTCALL,
     nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void bind_fast_calls(py::module_& module) {
  if (PyModule_AddFunctions(module.ptr(), methods) != 0) throw py::error_already_set();
}

}  // namespace percepts::bindings

#pragma once

#include <pybind11/pybind11.h>

namespace percepts::bindings {

namespace py = pybind11;

/// For types with a constructor, which pybind11 calls next.
inline PyObject* new_instance(PyTypeObject* type, PyObject* /*arguments*/, PyObject* /*keywords*/) {
  return py::detail::make_new_instance(type);
}

/// Has all classes of the module refuse `cls.__new__(cls)`, which would make an object without a value:
/// memory that nobody has initialised. Python refuses it wherever a type makes its instances in another way
/// than the base that `__new__` is of. pybind11 itself does not ask the type when it hands out a value.
inline void refuse_bare_instances(py::module_& module) {
  auto* const base = reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
  for (const auto& [name, member] : py::dict(module.attr("__dict__"))) {
    if (PyType_Check(member.ptr()) == 0) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(member.ptr());
    if (PyType_IsSubtype(type, base) == 0) continue;
    type->tp_new = member.attr("__dict__").contains("__init__") ? &new_instance : nullptr;
    PyType_Modified(type);
  }
}

}  // namespace percepts::bindings

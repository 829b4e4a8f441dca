#include "strings.hpp"

#include <cstring>

namespace percepts::bindings {
namespace {

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char byte : text) all |= static_cast<unsigned char>(byte);
  return all < 0x80;
}

}  // namespace

pybind11::str str_of(std::string_view utf8) {
  // Python's own decoder takes several times as long for a text that, as nearly always, is plain ASCII.
  const auto size = static_cast<Py_ssize_t>(utf8.size());
  const bool ascii = is_ascii(utf8);
  PyObject* const text = ascii ? PyUnicode_New(size, 0x7F) : PyUnicode_DecodeUTF8(utf8.data(), size, nullptr);
  if (text == nullptr) throw pybind11::error_already_set();
  if (ascii) std::memcpy(PyUnicode_1BYTE_DATA(text), utf8.data(), utf8.size());
  return pybind11::reinterpret_steal<pybind11::str>(text);
}

}  // namespace percepts::bindings

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "../without_gil.hpp"
#include "device_array.hpp"
#include "maps.hpp"
#include "module.hpp"
#include "owned_stream.hpp"

// What percepts.testing needs: arrays made and read by hand, streams, graphs.

namespace percepts::bindings::devices {
namespace {

Stream stream_at(std::uintptr_t address) { return reinterpret_cast<Stream>(address); }
std::uintptr_t address_of(Stream stream) { return reinterpret_cast<std::uintptr_t>(stream); }

/// A copy of host memory on a device. It is ready when this returns, wherever it is used.
DeviceArray uploaded(const py::array& dense, std::string_view dtype, int device,
                     std::optional<std::uintptr_t> stream) {
  const Stream on = stream ? stream_at(*stream) : own_stream(device);
  const std::vector<std::int64_t> shape(dense.shape(), dense.shape() + dense.ndim());
  DeviceArray array = new_array(device, dtype_named(dtype), shape, on);
  {
    const void* const from = dense.data();
    const auto bytes = static_cast<std::size_t>(dense.nbytes());
    const WithoutGil release;
    if (bytes != 0) copy_to_device(device, array.data, from, bytes, on);
    synchronize(device, on);
  }
  if (!stream) array.stream = std::nullopt;
  return array;
}

/// The bytes between the first and the last element of an array, wherever its strides lead, and where among
/// them the first element is.
py::tuple downloaded(const View& view) {
  std::ptrdiff_t lowest = 0;
  std::ptrdiff_t highest = static_cast<std::ptrdiff_t>(size_of(view.dtype));
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(view.ndim); ++axis) {
    if (view.shape[axis] == 0) return py::make_tuple(py::bytes(), 0);
    const std::ptrdiff_t span = view.strides[axis] * (view.shape[axis] - 1);
    lowest += std::min<std::ptrdiff_t>(span, 0);
    highest += std::max<std::ptrdiff_t>(span, 0);
  }
  std::string bytes(static_cast<std::size_t>(highest - lowest), '\0');
  {
    const WithoutGil release;
    copy_to_host(view.device_id, bytes.data(), view.data + lowest, bytes.size(), stream_of(view));
    synchronize(view.device_id, stream_of(view));
  }
  return py::make_tuple(py::bytes(bytes), -lowest);
}

}  // namespace

void bind_testing(py::module_& module) {
  py::class_<OwnedStream, std::shared_ptr<OwnedStream>>(module, "Stream", py::module_local())
      .def(py::init(&OwnedStream::make))
      .def_property_readonly("address", &OwnedStream::address)
      .def_property_readonly("device", &OwnedStream::device)
      .def("wait", &OwnedStream::wait, py::call_guard<WithoutGil>());
  py::class_<Graph>(module, "Graph", py::module_local())
      .def(py::init([](int device, std::uintptr_t stream) {
        return std::make_unique<Graph>(device, stream_at(stream));
      }))
      .def("begin", &Graph::begin)
      .def("end", &Graph::end)
      .def("launch", &Graph::launch, py::call_guard<WithoutGil>());
  module.def("upload", &uploaded);
  module.def("download", &downloaded);
  module.def("own_stream", [](int device) { return address_of(own_stream(device)); });
  module.def("device_of",
             [](std::uintptr_t memory) { return device_of(reinterpret_cast<const void*>(memory)); });
  module.def(
      "synchronize", [](int device, std::uintptr_t stream) { synchronize(device, stream_at(stream)); },
      py::call_guard<WithoutGil>());
}

}  // namespace percepts::bindings::devices

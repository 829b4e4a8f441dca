#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "../without_gil.hpp"
#include "device_array.hpp"
#include "keeping.hpp"
#include "maps.hpp"
#include "module.hpp"

namespace percepts::bindings::devices {
namespace {

void* memory_of(const View& out, DType dtype) {
  if (!out.on_cuda() || out.dtype != dtype)
    throw py::type_error("results go to arrays of their dtype on the device");
  return const_cast<std::byte*>(out.data);
}

template <class T>
T* memory_of(const View& out) {
  return static_cast<T*>(memory_of(out, dtype_of<T>()));
}

/// The arrays that a kernel writes to are as the Python layer made them: dense, of the shape of the results.
void grid_stats_of(const View& data, const py::object& mask, const py::object& sentinels, std::int32_t rows,
                   std::int32_t cols, const View& min, const View& max, const View& mean, const View& count) {
  let_go();
  const cuda::Maps maps = maps_of(data, mask, sentinels);
  wait_for_mask(data, mask);
  const bool narrow = cuda::fits_float32(data.dtype);
  const DType extremes = narrow ? DType::float32 : DType::float64;
  const cuda::DeviceStats out{.min = memory_of(min, extremes),
                              .max = memory_of(max, extremes),
                              .mean = memory_of<double>(mean),
                              .count = memory_of<std::int32_t>(count),
                              .narrow = narrow};
  {
    const WithoutGil release;
    cuda::grid_stats(maps, Grid{rows, cols}, out, stream_of(data));
  }
  keep(data.device_id, stream_of(data), owners_of(data, mask));
}

void flow_sign_of(const View& data, const py::object& mask, const py::object& sentinels, std::int32_t rows,
                  std::int32_t cols, const View& signs) {
  let_go();
  const cuda::Maps maps = maps_of(data, mask, sentinels);
  wait_for_mask(data, mask);
  auto* const out = memory_of<std::int8_t>(signs);
  {
    const WithoutGil release;
    cuda::flow_sign(maps, Grid{rows, cols}, out, stream_of(data));
  }
  keep(data.device_id, stream_of(data), owners_of(data, mask));
}

void neighbor_relations_of(const View& mean, std::int64_t maps, std::int32_t rows, std::int32_t cols,
                           double tau, const View& relations) {
  let_go();
  const auto* const means = memory_of<double>(mean);
  auto* const out = memory_of<std::int8_t>(relations);
  {
    const WithoutGil release;
    cuda::neighbor_relations(mean.device_id, means, maps, Grid{rows, cols}, tau, out, stream_of(mean));
  }
  keep(mean.device_id, stream_of(mean), {mean.owner});
}

void label_mode_of(const View& labels, const py::object& mask, const py::object& sentinels, std::int32_t rows,
                   std::int32_t cols, std::optional<std::int64_t> ignored, const View& label,
                   const View& share) {
  let_go();
  const cuda::Maps maps = maps_of(labels, mask, sentinels);
  wait_for_mask(labels, mask);
  void* const out = memory_of(label, labels.dtype);
  auto* const shares = memory_of<double>(share);
  {
    const WithoutGil release;
    cuda::label_mode(maps, Grid{rows, cols}, ignored, out, shares, stream_of(labels));
  }
  keep(labels.device_id, stream_of(labels), owners_of(labels, mask));
}

/// A copy of a dense array of the device on the host, under way.
class LateCopy final : public Work {
 public:
  explicit LateCopy(const View& array)
      : device_(array.device_id), end_(array.device_id), owner_(array.owner), bytes_(size_of(array.dtype)) {
    for (int axis = 0; axis < array.ndim; ++axis) {
      bytes_ *= static_cast<std::size_t>(array.shape[static_cast<std::size_t>(axis)]);
    }
    memory_ = pinned_memory(device_, bytes_);
    if (bytes_ != 0) copy_to_host(device_, memory_.get(), array.data, bytes_, stream_of(array));
    end_.record(stream_of(array));
  }

  bool is_done() override { return end_.is_done(); }
  void wait() override { end_.wait(); }

  std::string_view bytes() const { return {static_cast<const char*>(memory_.get()), bytes_}; }

 private:
  int device_;
  Event end_;
  py::object owner_;
  std::size_t bytes_;
  std::shared_ptr<void> memory_;
};

class HostCopy {
 public:
  explicit HostCopy(const View& array) : copy_(std::make_unique<LateCopy>(array)) {}
  ~HostCopy() {
    if (copy_ != nullptr) keep(std::move(copy_));
  }
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  py::bytes read() const {
    {
      const WithoutGil release;
      copy_->wait();
    }
    return {copy_->bytes().data(), copy_->bytes().size()};
  }

 private:
  std::unique_ptr<LateCopy> copy_;
};

}  // namespace

void bind_kernels(py::module_& module) {
  module.def("grid_stats", &grid_stats_of);
  module.def("flow_sign", &flow_sign_of);
  module.def("neighbor_relations", &neighbor_relations_of);
  module.def("label_mode", &label_mode_of);
  module.def("put_in_order", [](int device, std::uintptr_t earlier, std::uintptr_t later) {
    put_in_order(device, reinterpret_cast<Stream>(earlier), reinterpret_cast<Stream>(later));
  });
  py::class_<HostCopy>(module, "HostCopy", py::module_local())
      .def(py::init<const View&>())
      .def("read", &HostCopy::read);
}

}  // namespace percepts::bindings::devices

#include "maps.hpp"

#include <span>

namespace percepts::bindings::devices {
namespace {

void add_mask(cuda::Maps& maps, const View& data, const View& mask) {
  const bool is_batch = mask.ndim == 3;
  const auto axis_y = static_cast<std::size_t>(mask.ndim - 2);
  if (mask.dtype != DType::boolean || mask.ndim < 2 || mask.ndim > data.ndim ||
      mask.device_id != data.device_id || !mask.on_cuda() || mask.shape[axis_y] != maps.extent.height ||
      mask.shape[axis_y + 1] != maps.extent.width || (is_batch && mask.shape[0] != maps.count)) {
    throw py::value_error("devices read boolean masks of the shape and on the device of the maps");
  }
  maps.mask = {.data = mask.data, .stride_y = mask.strides[axis_y], .stride_x = mask.strides[axis_y + 1]};
  maps.mask_stride_map = is_batch ? mask.strides[0] : 0;
}

}  // namespace

void wait_for_mask(const View& data, const py::object& mask) {
  if (mask.is_none()) return;
  const auto& pixels = mask.cast<const View&>();
  if (pixels.stream != data.stream) put_in_order(data.device_id, stream_of(pixels), stream_of(data));
}

cuda::Maps maps_of(const View& data, const py::object& mask, const py::object& sentinels) {
  if (!data.on_cuda() || data.ndim < 2 || data.ndim > 3) {
    throw py::value_error("devices read arrays of two or three dimensions");
  }
  const bool is_batch = data.ndim == 3;
  const auto axis_y = static_cast<std::size_t>(data.ndim - 2);
  cuda::Maps maps{.device = data.device_id,
                  .data = data.data,
                  .dtype = data.dtype,
                  .extent = {data.shape[axis_y], data.shape[axis_y + 1]},
                  .count = is_batch ? data.shape[0] : 1,
                  .stride_map = is_batch ? data.strides[0] : 0,
                  .stride_y = data.strides[axis_y],
                  .stride_x = data.strides[axis_y + 1],
                  .mask = {},
                  .mask_stride_map = 0,
                  .sentinels = {}};
  if (!mask.is_none()) add_mask(maps, data, mask.cast<const View&>());
  if (!sentinels.is_none()) {
    const auto packed = sentinels.cast<std::string_view>();
    if (packed.size() % size_of(data.dtype) != 0) {
      throw py::value_error("devices read sentinels of the dtype of the maps");
    }
    maps.sentinels = std::as_bytes(std::span(packed));
  }
  return maps;
}

std::vector<py::object> owners_of(const View& data, const py::object& mask) {
  std::vector<py::object> owners{data.owner};
  if (!mask.is_none()) owners.push_back(mask.cast<const View&>().owner);
  return owners;
}

}  // namespace percepts::bindings::devices

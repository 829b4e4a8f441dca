#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "emulated.hpp"
#include "percepts/cuda.hpp"

// Maps of any layout, on the host for the CPU's kernels and as a copy on a device.

namespace backend {

using namespace percepts;

/// How maps lie in memory.
struct Layout {
  std::int64_t offset = 0;   ///< bytes before the first pixel
  std::int64_t padding = 0;  ///< bytes behind each row
  std::int64_t step = 1;     ///< elements from one pixel to the next
  bool transposed = false;   ///< columns lie side by side
  bool flipped = false;      ///< rows and columns from the last to the first
  bool repeated = false;     ///< all rows are the same memory
};

/// Bytes of maps and how to read them; the same on the host and on a device.
class DeviceMaps {
 public:
  DeviceMaps(DType dtype, Extent extent, std::int64_t count, const Layout& layout = {}, int device = 0)
      : device_(device), dtype_(dtype), extent_(extent), count_(count) {
    const auto element = static_cast<std::int64_t>(size_of(dtype));
    std::int64_t rows = extent.height;
    std::int64_t cols = extent.width;
    if (layout.transposed) std::swap(rows, cols);
    std::int64_t inner = element * layout.step;
    std::int64_t outer = inner * cols + layout.padding;
    stride_map_ = outer * rows;
    bytes_.resize(static_cast<std::size_t>(layout.offset + stride_map_ * count + 16));
    first_ = layout.offset;
    if (layout.transposed) std::swap(inner, outer);
    stride_x_ = inner;
    stride_y_ = layout.repeated ? 0 : outer;
    if (layout.flipped) {
      first_ += stride_y_ * (extent.height - 1) + stride_x_ * (extent.width - 1);
      stride_y_ = -stride_y_;
      stride_x_ = -stride_x_;
    }
  }
  ~DeviceMaps() {
    if (data_ != nullptr) emulated::emulation::release(data_);
    if (mask_data_ != nullptr) emulated::emulation::release(mask_data_);
  }
  DeviceMaps(const DeviceMaps&) = delete;
  DeviceMaps& operator=(const DeviceMaps&) = delete;

  std::int64_t pixels() const { return count_ * extent_.height * extent_.width; }

  /// The bytes of a pixel.
  std::byte* pixel(std::int64_t map, std::int64_t y, std::int64_t x) {
    return bytes_.data() + first_ + map * stride_map_ + y * stride_y_ + x * stride_x_;
  }

  template <class T>
  void set(std::int64_t map, std::int64_t y, std::int64_t x, T value) {
    std::memcpy(pixel(map, y, x), &value, sizeof value);
  }

  template <class T, class Value>
  void fill(Value value) {
    for (std::int64_t map = 0; map < count_; ++map) {
      for (std::int64_t y = 0; y < extent_.height; ++y) {
        for (std::int64_t x = 0; x < extent_.width; ++x) set<T>(map, y, x, static_cast<T>(value(map, y, x)));
      }
    }
  }

  /// A mask that keeps most pixels. `shared`: the same one for all maps.
  void mask(std::mt19937& random, bool shared, std::int64_t padding) {
    mask_stride_y_ = extent_.width + padding;
    mask_stride_map_ = shared ? 0 : mask_stride_y_ * extent_.height;
    mask_.resize(static_cast<std::size_t>(mask_stride_y_ * extent_.height * (shared ? 1 : count_)));
    for (std::byte& kept : mask_) kept = static_cast<std::byte>(random() % 5 == 0 ? 0 : 1 + random() % 255);
  }

  void sentinels(std::vector<std::byte> packed) { sentinels_ = std::move(packed); }

  Field field(std::int64_t map) const {
    Field field{.data = bytes_.data() + first_ + map * stride_map_,
                .dtype = dtype_,
                .extent = extent_,
                .stride_y = stride_y_,
                .stride_x = stride_x_,
                .mask = {},
                .sentinels = sentinels_};
    if (!mask_.empty()) {
      field.mask = {.data = mask_.data() + map * mask_stride_map_, .stride_y = mask_stride_y_, .stride_x = 1};
    }
    return field;
  }

  /// The maps on the device, copied there as they are now.
  cuda::Maps maps() {
    upload();
    cuda::Maps maps{.device = device_,
                    .data = data_ + first_,
                    .dtype = dtype_,
                    .extent = extent_,
                    .count = count_,
                    .stride_map = stride_map_,
                    .stride_y = stride_y_,
                    .stride_x = stride_x_,
                    .mask = {},
                    .mask_stride_map = mask_stride_map_,
                    .sentinels = sentinels_};
    if (!mask_.empty()) maps.mask = {.data = mask_data_, .stride_y = mask_stride_y_, .stride_x = 1};
    return maps;
  }

  void upload() {
    put(bytes_, data_);
    if (!mask_.empty()) put(mask_, mask_data_);
  }

 private:
  void put(const std::vector<std::byte>& from, std::byte*& to) const {
    if (to == nullptr) to = static_cast<std::byte*>(emulated::emulation::allocate(device_, from.size()));
    int before = 0;
    emulated::must(cudaGetDevice(&before));
    emulated::must(cudaSetDevice(device_));
    emulated::must(cudaMemcpy(to, from.data(), from.size(), cudaMemcpyHostToDevice));
    emulated::must(cudaSetDevice(before));
  }

  int device_;
  DType dtype_;
  Extent extent_;
  std::int64_t count_;
  std::int64_t first_ = 0;
  std::int64_t stride_map_ = 0;
  std::int64_t stride_y_ = 0;
  std::int64_t stride_x_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<std::byte> mask_;
  std::int64_t mask_stride_y_ = 0;
  std::int64_t mask_stride_map_ = 0;
  std::vector<std::byte> sentinels_;
  std::byte* data_ = nullptr;
  std::byte* mask_data_ = nullptr;
};

/// Random bytes as values: of floats nearly all finite, with NaN, infinities and −0 among them.
inline void fill_random(DeviceMaps& maps, DType dtype, const Extent& extent, std::int64_t count,
                        std::mt19937& random, bool holes) {
  const std::size_t element = size_of(dtype);
  for (std::int64_t map = 0; map < count; ++map) {
    for (std::int64_t y = 0; y < extent.height; ++y) {
      for (std::int64_t x = 0; x < extent.width; ++x) {
        std::uint64_t bits = std::uint64_t{random()} << 32 | random();
        const bool hole = holes && random() % 9 == 0;
        const std::uint64_t kind = random() % 4;
        if (dtype == DType::float32 || dtype == DType::float64) {
          double value = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-60;
          if (hole) value = kind == 0 ? NAN : kind == 1 ? INFINITY : kind == 2 ? -INFINITY : -0.0;
          if (dtype == DType::float32) {
            maps.set(map, y, x, static_cast<float>(value));
          } else {
            maps.set(map, y, x, value);
          }
          continue;
        }
        if (dtype == DType::float16) {
          bits = hole ? (kind == 0   ? 0x7e01
                         : kind == 1 ? 0x7c00
                         : kind == 2 ? 0xfc00
                                     : 0x8000)
                      : (bits & 0x83ff) | (bits >> 20 & 15) << 10;
        }
        if (dtype == DType::bfloat16) {
          bits = hole ? (kind == 0   ? 0x7fc1
                         : kind == 1 ? 0x7f80
                         : kind == 2 ? 0xff80
                                     : 0x8000)
                      : (bits & 0x807f) | (120 + (bits >> 20 & 15)) << 7;
        }
        if (dtype == DType::boolean) bits = kind == 0 ? 0 : bits;
        std::memcpy(maps.pixel(map, y, x), &bits, element);
      }
    }
  }
}

inline constexpr DType all_dtypes[] = {DType::boolean, DType::int8,    DType::uint8,    DType::int16,
                                       DType::uint16,  DType::int32,   DType::uint32,   DType::int64,
                                       DType::uint64,  DType::float16, DType::bfloat16, DType::float32,
                                       DType::float64};

}  // namespace backend

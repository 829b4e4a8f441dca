#pragma once

#include <cstdint>

#include "kernels/cell_rect.hpp"
#include "kernels/elements.hpp"
#include "kernels/label_mode.hpp"
#include "kernels/load_pixels.hpp"

namespace percepts::cuda {

/// The labels of one cell, read by a block of threads.
template <class E>
class LabelCell {
 public:
  using Label = typename E::Value;

  __device__ __forceinline__ LabelCell(const LabelParams& params, std::int64_t cell)
      : params_(params), map_(cell / params.grid.cells()) {
    const kernels::CellRect rect =
        kernels::cell_rect(params.grid, params.extent, cell - map_ * params.grid.cells());
    y0_ = rect.y0;
    x0_ = rect.x0;
    width_ = static_cast<std::uint32_t>(rect.x1 - rect.x0);
    height_ = static_cast<std::uint32_t>(rect.y1 - rect.y0);
  }

  /// The label of the pixel at an index in row-major order.
  __device__ __forceinline__ Label operator[](std::uint32_t index) const {
    return label_at(index / width_, index % width_);
  }

  /// Calls `visit(label, pixels, index)` with runs of one label among the pixels that count, `index` being
  /// that of any pixel of the run, until a call returns false. Each thread reads pieces of rows: in label
  /// maps, which consist of areas, they mostly are one run.
  template <class Visit>
  __device__ __forceinline__ void for_each_run(Visit visit) const {
    const std::uint32_t pieces_of_row = (width_ + piece - 1) / piece;
    const std::uint32_t pieces = pieces_of_row * height_;
    for (std::uint32_t at = threadIdx.x; at < pieces; at += blockDim.x) {
      const std::uint32_t row = at / pieces_of_row;
      if (!visit_piece(row, (at - row * pieces_of_row) * piece, visit)) return;
    }
  }

 private:
  static constexpr std::uint32_t piece = 8;

  template <class Visit>
  __device__ __forceinline__ bool visit_piece(std::uint32_t row, std::uint32_t first, Visit visit) const {
    Label labels[piece];
    bool counts[piece];
#pragma unroll
    for (std::uint32_t k = 0; k < piece; ++k) {
      const bool inside = first + k < width_;
      labels[k] = inside ? label_at(row, first + k) : Label{0};
      counts[k] = inside && is_used(row, first + k) && !(params_.ignores && labels[k] == ignored());
    }
    Label label = 0;
    std::uint32_t pixels = 0;
    std::uint32_t index = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < piece; ++k) {
      if (!counts[k]) continue;
      if (pixels != 0 && labels[k] != label) {
        if (!visit(label, pixels, index)) return false;
        pixels = 0;
      }
      label = labels[k];
      index = row * width_ + first + k;
      ++pixels;
    }
    return pixels == 0 || visit(label, pixels, index);
  }

  __device__ __forceinline__ Label ignored() const {
    return E::value(static_cast<typename E::Bits>(params_.ignored));
  }

  __device__ __forceinline__ const std::byte* address(const Pixels& pixels, std::uint32_t row,
                                                      std::uint32_t col) const {
    return pixels.data + map_ * pixels.stride_map + (y0_ + row) * pixels.stride_y +
           (x0_ + col) * pixels.stride_x;
  }

  __device__ __forceinline__ Label label_at(std::uint32_t row, std::uint32_t col) const {
    return E::value(load_element<typename E::Bits>(address(params_.labels, row, col), params_.labels.access));
  }

  __device__ __forceinline__ bool is_used(std::uint32_t row, std::uint32_t col) const {
    return params_.mask.data == nullptr || *address(params_.mask, row, col) != std::byte{0};
  }

  const LabelParams& params_;
  std::int64_t map_;
  std::int64_t y0_;
  std::int64_t x0_;
  std::uint32_t width_;
  std::uint32_t height_;
};

}  // namespace percepts::cuda

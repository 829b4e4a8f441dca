#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/element.hpp"
#include "percepts/field.hpp"

namespace percepts::kernels {

/// A run of pixels within one row.
struct Run {
  const std::byte* data;
  std::ptrdiff_t stride;
  const std::byte* mask;  ///< null when every pixel may be used
  std::ptrdiff_t mask_stride;
  std::int64_t size;
};

inline Run run_of(const Field& field, std::int64_t y, std::int64_t x0, std::int64_t x1) {
  const Mask& mask = field.mask;
  return {
      .data = field.data + y * field.stride_y + x0 * field.stride_x,
      .stride = field.stride_x,
      .mask = mask.data == nullptr ? nullptr : mask.data + y * mask.stride_y + x0 * mask.stride_x,
      .mask_stride = mask.stride_x,
      .size = x1 - x0,
  };
}

/// The field's sentinels as values of its element type.
template <class Element>
std::vector<typename Element::Value> sentinels_of(const Field& field) {
  std::vector<typename Element::Value> sentinels;
  for (std::size_t at = 0; at + Element::size <= field.sentinels.size(); at += Element::size) {
    sentinels.push_back(Element::load(field.sentinels.data() + at));
  }
  return sentinels;
}

/// Calls `visit` with the value of each valid pixel of the run, from left to right.
template <class Element, class Visitor>
void for_each_valid(const Run& run, const std::vector<typename Element::Value>& sentinels, Visitor&& visit) {
  using Value = typename Element::Value;
  const auto loop = [&](std::ptrdiff_t stride, auto&& is_used) {
    for (std::int64_t x = 0; x < run.size; ++x) {
      const Value value = Element::load(run.data + x * stride);
      if (is_data(value) && is_used(x, value)) visit(value);
    }
  };
  if (run.mask == nullptr && sentinels.empty()) {
    // A constant stride is what lets the compiler vectorise the common case.
    constexpr auto dense = static_cast<std::ptrdiff_t>(Element::size);
    const auto always = [](std::int64_t, Value) { return true; };
    return run.stride == dense ? loop(dense, always) : loop(run.stride, always);
  }
  loop(run.stride, [&](std::int64_t x, Value value) {
    if (run.mask != nullptr && run.mask[x * run.mask_stride] == std::byte{0}) return false;
    return std::find(sentinels.begin(), sentinels.end(), value) == sentinels.end();
  });
}

}  // namespace percepts::kernels

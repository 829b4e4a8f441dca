#include "kernels/oriented_field.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace percepts::kernels {
namespace {

std::vector<std::int64_t> edges_of(std::int64_t extent, std::int32_t count) {
  std::vector<std::int64_t> edges;
  edges.reserve(static_cast<std::size_t>(count) + 1);
  for (std::int64_t index = 0; index <= count; ++index) edges.push_back(cell_edge(index, extent, count));
  return edges;
}

void swap_axes(Field& field) {
  std::swap(field.extent.height, field.extent.width);
  std::swap(field.stride_y, field.stride_x);
  std::swap(field.mask.stride_y, field.mask.stride_x);
}

void mirror(Field& field) {
  const std::int64_t last = field.extent.width - 1;
  field.data += last * field.stride_x;
  field.stride_x = -field.stride_x;
  if (field.mask.data != nullptr) field.mask.data += last * field.mask.stride_x;
  field.mask.stride_x = -field.mask.stride_x;
}

void mirror(std::vector<std::int64_t>& edges) {
  const std::int64_t extent = edges.back();
  std::reverse(edges.begin(), edges.end());
  for (std::int64_t& edge : edges) edge = extent - edge;
}

}  // namespace

OrientedField oriented(const Field& field, const Grid& grid) {
  const auto element = static_cast<std::ptrdiff_t>(size_of(field.dtype));
  OrientedField turned{.field = field,
                       .outer_edges = edges_of(field.extent.height, grid.rows),
                       .inner_edges = edges_of(field.extent.width, grid.cols)};
  turned.swapped = std::abs(field.stride_y) == element && std::abs(field.stride_x) > element;
  turned.mirrored = (turned.swapped ? field.stride_y : field.stride_x) < 0;
  if (turned.swapped) std::swap(turned.outer_edges, turned.inner_edges);
  if (turned.mirrored) mirror(turned.inner_edges);
  turn(field, turned);
  return turned;
}

void turn(const Field& field, OrientedField& turned) {
  turned.field = field;
  if (turned.swapped) swap_axes(turned.field);
  if (turned.mirrored) mirror(turned.field);
}

}  // namespace percepts::kernels

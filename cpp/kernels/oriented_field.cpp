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

void swap_axes(OrientedField& turned) {
  Field& field = turned.field;
  std::swap(field.extent.height, field.extent.width);
  std::swap(field.stride_y, field.stride_x);
  std::swap(field.mask.stride_y, field.mask.stride_x);
  std::swap(turned.outer_edges, turned.inner_edges);
  turned.swapped = true;
}

void mirror(OrientedField& turned) {
  Field& field = turned.field;
  const std::int64_t last = field.extent.width - 1;
  field.data += last * field.stride_x;
  field.stride_x = -field.stride_x;
  if (field.mask.data != nullptr) field.mask.data += last * field.mask.stride_x;
  field.mask.stride_x = -field.mask.stride_x;
  std::vector<std::int64_t>& edges = turned.inner_edges;
  std::reverse(edges.begin(), edges.end());
  for (std::int64_t& edge : edges) edge = field.extent.width - edge;
  turned.mirrored = true;
}

}  // namespace

OrientedField oriented(const Field& field, const Grid& grid) {
  OrientedField turned{.field = field,
                       .outer_edges = edges_of(field.extent.height, grid.rows),
                       .inner_edges = edges_of(field.extent.width, grid.cols)};
  const auto element = static_cast<std::ptrdiff_t>(size_of(field.dtype));
  if (std::abs(field.stride_y) == element && std::abs(field.stride_x) > element) swap_axes(turned);
  if (turned.field.stride_x < 0) mirror(turned);
  return turned;
}

}  // namespace percepts::kernels

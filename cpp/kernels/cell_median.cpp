#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/middle_keys.hpp"
#include "kernels/ordered_key.hpp"
#include "kernels/oriented_cells.hpp"
#include "kernels/valid_pixels.hpp"
#include "percepts/kernels.hpp"

namespace percepts {
namespace {

using namespace kernels;

/// The keys of the valid pixels of one cell after the other.
template <class Element>
class CellKeys {
 public:
  using Order = OrderedKey<Element>;
  using Key = typename Order::Key;

  explicit CellKeys(const Field& field) : field_(field), sentinels_(sentinels_of<Element>(field)) {
    all_used_ = field.mask.data == nullptr && sentinels_.empty();
  }

  /// The keys, which the next call overwrites.
  std::span<Key> operator()(const CellRect& cell) {
    const auto most = static_cast<std::size_t>((cell.y1 - cell.y0) * (cell.x1 - cell.x0));
    if (keys_.size() < most) keys_.resize(most);
    Key* end = keys_.data();
    for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
      const Run run = run_of(field_, y, cell.x0, cell.x1);
      end = all_used_ && copy_all(run, end) ? end + run.size : copy_valid(run, end);
    }
    return {keys_.data(), end};
  }

 private:
  /// Whether all of the run's pixels are data: their keys are copied then.
  static bool copy_all(const Run& run, Key* to) {
    constexpr auto dense = static_cast<std::ptrdiff_t>(Element::size);
    // A constant stride is what lets the compiler vectorise the common case.
    return run.stride == dense ? copy_all(run, dense, to) : copy_all(run, run.stride, to);
  }

  static bool copy_all(const Run& run, std::ptrdiff_t stride, Key* to) {
    Key all = 1;
    for (std::int64_t x = 0; x < run.size; ++x) {
      to[x] = Order::load(run.data + x * stride);
      all = static_cast<Key>(all & static_cast<Key>(Order::is_data(to[x])));
    }
    return all != 0;
  }

  Key* copy_valid(const Run& run, Key* to) const {
    for (std::int64_t x = 0; x < run.size; ++x) {
      const std::byte* address = run.data + x * run.stride;
      *to = Order::load(address);
      const bool masked = run.mask != nullptr && run.mask[x * run.mask_stride] == std::byte{0};
      to += Order::is_data(*to) && !masked && !is_sentinel(address) ? 1 : 0;
    }
    return to;
  }

  bool is_sentinel(const std::byte* address) const {
    return std::find(sentinels_.begin(), sentinels_.end(), Element::load(address)) != sentinels_.end();
  }

  Field field_;
  std::vector<typename Element::Value> sentinels_;
  bool all_used_ = false;
  std::vector<Key> keys_;
};

double mean_of(double low, double high) {
  const double mean = (low + high) / 2;
  return (std::isfinite(mean) ? mean : low / 2 + high / 2) + 0.0;  // adding 0 makes 0 of −0
}

template <class Element>
CellMedians medians_of(const Field& field, const Grid& grid) {
  using Order = OrderedKey<Element>;
  const auto cells = static_cast<std::size_t>(grid.cells());
  CellMedians medians{std::vector<double>(cells, std::numeric_limits<double>::quiet_NaN()),
                      std::vector<std::int32_t>(cells)};
  const OrientedField turned = oriented(field, grid);
  CellKeys<Element> keys_of(turned.field);
  MiddleKeys<typename Order::Key> middle_of;
  for_each_cell(turned, [&](std::size_t index, const CellRect& cell) {
    const auto keys = keys_of(cell);
    medians.count[index] = static_cast<std::int32_t>(keys.size());
    if (keys.empty()) return;
    const auto [low, high] = middle_of(keys);
    medians.median[index] = mean_of(Order::value_of(low), Order::value_of(high));
  });
  return medians;
}

}  // namespace

CellMedians cell_median(const Field& field, const Grid& grid) {
  check_grid(grid, field.extent);
  check_sentinels(field);
  return visit_element(field.dtype, [&]<class Element>(Element) { return medians_of<Element>(field, grid); });
}

}  // namespace percepts

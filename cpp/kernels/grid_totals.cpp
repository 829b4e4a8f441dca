#include "kernels/grid_totals.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

#include "kernels/columns/dispatch.hpp"
#include "kernels/oriented_field.hpp"

namespace percepts::kernels {
namespace {

constexpr bool sums_in_reals(DType dtype) {
  switch (dtype) {
    case DType::int64:
    case DType::uint64:
    case DType::float16:
    case DType::bfloat16:
    case DType::float32:
    case DType::float64:
      return true;
    default:
      return false;
  }
}

constexpr CellTotal nothing{.min = std::numeric_limits<double>::infinity(),
                            .max = -std::numeric_limits<double>::infinity(),
                            .sum = 0,
                            .whole_sum = 0,
                            .count = 0};

void merge(CellTotal& total, const CellTotal& part) {
  total.min = std::min(total.min, part.min);
  total.max = std::max(total.max, part.max);
  total.sum += part.sum;
  total.whole_sum += part.whole_sum;
  total.count += part.count;
}

/// Some neighbouring cells of a band, or a part of one that is wider than a tile.
struct Tile {
  std::size_t first_cell;
  std::vector<std::int64_t> edges;
};

/// Cuts a band into tiles, so that column accumulators stay near the core however wide the map is.
std::vector<Tile> tiles_of(const std::vector<std::int64_t>& edges, std::int64_t widest) {
  std::vector<Tile> tiles;
  for (std::size_t cell = 0; cell + 1 < edges.size(); ++cell) {
    const bool joins = !tiles.empty() && edges[cell + 1] - tiles.back().edges.front() <= widest;
    if (joins) {
      tiles.back().edges.push_back(edges[cell + 1]);
      continue;
    }
    for (std::int64_t x = edges[cell]; x < edges[cell + 1]; x += widest) {
      tiles.push_back({cell, {x, std::min(x + widest, edges[cell + 1])}});
    }
  }
  return tiles;
}

/// A buffer aligned for the widest vectors.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) : storage_(new std::byte[bytes + alignment]) {
    void* start = storage_.get();
    std::size_t space = bytes + alignment;
    data_ = static_cast<std::byte*>(std::align(alignment, bytes, start, space));
  }

  std::byte* data() const { return data_; }

 private:
  static constexpr std::size_t alignment = 64;
  std::unique_ptr<std::byte[]> storage_;
  std::byte* data_;
};

/// Goes over a field once and adds up its cells.
class Scan {
 public:
  Scan(const Field& field, const Grid& grid)
      : kernels_(&column_kernels().elements[static_cast<std::size_t>(field.dtype)]),
        original_(field),
        turned_(oriented(field, grid)),
        element_(static_cast<std::ptrdiff_t>(size_of(field.dtype))),
        careful_(must_be_careful()),
        interleaved_(!careful_ && turned_.field.stride_x == 2 * element_),
        dense_(turned_.field.stride_x == element_ &&
               (turned_.field.mask.data == nullptr || turned_.field.mask.stride_x == 1)),
        tiles_(tiles_of(turned_.inner_edges, dense_ || interleaved_ ? widest_dense : widest_gathered)),
        cells_(static_cast<std::size_t>(grid.cells()), nothing) {
    std::int64_t widest = 0;
    std::size_t most_cells = 0;
    for (const Tile& tile : tiles_) {
      widest = std::max(widest, tile.edges.back() - tile.edges.front());
      most_cells = std::max(most_cells, tile.edges.size() - 1);
    }
    columns_ = std::make_unique<Scratch>(scratch_bytes(interleaved_ ? 2 * widest : widest));
    totals_.resize(most_cells);
    widest_ = widest;
  }

  /// Whether another field is laid out alike; it is then what run() goes over.
  bool aim_at(const Field& field) {
    const bool alike = field.dtype == original_.dtype && field.extent.height == original_.extent.height &&
                       field.extent.width == original_.extent.width && field.stride_y == original_.stride_y &&
                       field.stride_x == original_.stride_x &&
                       field.mask.stride_y == original_.mask.stride_y &&
                       field.mask.stride_x == original_.mask.stride_x &&
                       (field.mask.data == nullptr) == (original_.mask.data == nullptr) &&
                       field.sentinels.empty() == original_.sentinels.empty();
    if (!alike) return false;
    original_ = field;
    turn(field, turned_);
    careful_ = must_be_careful();
    std::fill(cells_.begin(), cells_.end(), nothing);
    return true;
  }

  const std::vector<CellTotal>& run() {
    for (std::size_t outer = 0; outer + 1 < turned_.outer_edges.size(); ++outer) {
      for (const Tile& tile : tiles_) {
        add_tile(tile, turned_.outer_edges[outer], turned_.outer_edges[outer + 1]);
        for (std::size_t k = 0; k + 1 < tile.edges.size(); ++k) {
          merge(cells_[turned_.cell(outer, tile.first_cell + k)], totals_[k]);
        }
      }
    }
    return cells_;
  }

  std::vector<CellTotal> take() && {
    run();
    return std::move(cells_);
  }

 private:
  static constexpr std::int64_t widest_dense = 8192;
  static constexpr std::int64_t widest_gathered = 512;

  bool must_be_careful() const {
    return turned_.field.mask.data != nullptr || !turned_.field.sentinels.empty();
  }

  void add_tile(const Tile& tile, std::int64_t y0, std::int64_t y1) {
    const auto cells = tile.edges.size() - 1;
    if (!careful_) {
      start(cells);
      add_rows_without_holes(tile, y0, y1);
      if (!holes_show(cells)) return;
      careful_ = true;  // where there are holes there are usually more
    }
    start(cells);
    add_rows_with_holes(tile, y0, y1);
  }

  void start(std::size_t cells) { std::fill_n(totals_.begin(), cells, nothing); }

  bool holes_show(std::size_t cells) const {
    const auto first = totals_.begin();
    return sums_in_reals(turned_.field.dtype) &&
           std::any_of(first, first + static_cast<std::ptrdiff_t>(cells),
                       [](const CellTotal& cell) { return !std::isfinite(cell.sum); });
  }

  void add_rows_without_holes(const Tile& tile, std::int64_t y0, std::int64_t y1) {
    if (dense_ || interleaved_) {
      kernels_->finite_stats(
          band_of(tile, in_place(tile, y0), turned_.field.stride_y, y1 - y0, interleaved_ ? 2 : 1));
      return;
    }
    for (std::int64_t y = y0; y < y1; y += chunk_rows) {
      const std::int64_t rows = std::min(chunk_rows, y1 - y);
      kernels_->finite_stats(band_of(tile, gathered_values(tile, y, rows), width(tile) * element_, rows, 1));
    }
  }

  void add_rows_with_holes(const Tile& tile, std::int64_t y0, std::int64_t y1) {
    Validity validity{.mask = nullptr,
                      .mask_stride = turned_.field.mask.stride_y,
                      .sentinels = turned_.field.sentinels.data(),
                      .sentinel_count = static_cast<std::int64_t>(turned_.field.sentinels.size()) / element_};
    const bool has_mask = turned_.field.mask.data != nullptr;
    if (dense_) {
      if (has_mask)
        validity.mask = turned_.field.mask.data + y0 * turned_.field.mask.stride_y + tile.edges.front();
      kernels_->valid_stats(band_of(tile, in_place(tile, y0), turned_.field.stride_y, y1 - y0, 1), validity);
      return;
    }
    // A part of a cell that is wider than a gathered tile is taken column range by column range.
    for (std::int64_t y = y0; y < y1; y += chunk_rows) {
      const std::int64_t rows = std::min(chunk_rows, y1 - y);
      if (has_mask) {
        validity.mask = gathered_mask(tile, y, rows);
        validity.mask_stride = width(tile);
      }
      kernels_->valid_stats(band_of(tile, gathered_values(tile, y, rows), width(tile) * element_, rows, 1),
                            validity);
    }
  }

  static std::int64_t width(const Tile& tile) { return tile.edges.back() - tile.edges.front(); }

  const std::byte* in_place(const Tile& tile, std::int64_t y) const {
    return turned_.field.data + y * turned_.field.stride_y + tile.edges.front() * turned_.field.stride_x;
  }

  Band band_of(const Tile& tile, const std::byte* rows, std::ptrdiff_t row_stride, std::int64_t count,
               std::int32_t step) {
    return {.rows = rows,
            .row_stride = row_stride,
            .row_count = count,
            .edges = tile.edges.data(),
            .cells = static_cast<std::int32_t>(tile.edges.size() - 1),
            .step = step,
            .scratch = columns_->data(),
            .totals = totals_.data()};
  }

  /// Copies strided elements side by side.
  static void gather(const std::byte* from, std::ptrdiff_t stride, std::byte* to, std::size_t element,
                     std::int64_t count) {
    const auto copy = [&](auto size) {
      for (std::int64_t x = 0; x < count; ++x)
        std::memcpy(to + x * static_cast<std::int64_t>(size()), from + x * stride, size());
    };
    switch (element) {
      case 1:
        return copy(std::integral_constant<std::size_t, 1>());
      case 2:
        return copy(std::integral_constant<std::size_t, 2>());
      case 4:
        return copy(std::integral_constant<std::size_t, 4>());
      default:
        return copy(std::integral_constant<std::size_t, 8>());
    }
  }

  const std::byte* gathered_values(const Tile& tile, std::int64_t y, std::int64_t rows) {
    if (!values_)
      values_ = std::make_unique<Scratch>(static_cast<std::size_t>(chunk_rows * widest_ * element_));
    for (std::int64_t row = 0; row < rows; ++row) {
      gather(in_place(tile, y + row), turned_.field.stride_x, values_->data() + row * width(tile) * element_,
             static_cast<std::size_t>(element_), width(tile));
    }
    return values_->data();
  }

  const std::byte* gathered_mask(const Tile& tile, std::int64_t y, std::int64_t rows) {
    if (!mask_) mask_ = std::make_unique<Scratch>(static_cast<std::size_t>(chunk_rows * widest_));
    const Mask& mask = turned_.field.mask;
    for (std::int64_t row = 0; row < rows; ++row) {
      gather(mask.data + (y + row) * mask.stride_y + tile.edges.front() * mask.stride_x, mask.stride_x,
             mask_->data() + row * width(tile), 1, width(tile));
    }
    return mask_->data();
  }

  const ElementKernels* kernels_;
  Field original_;
  OrientedField turned_;
  std::ptrdiff_t element_;
  bool careful_;
  bool interleaved_;
  bool dense_;
  std::vector<Tile> tiles_;
  std::vector<CellTotal> cells_;
  std::vector<CellTotal> totals_;
  std::int64_t widest_ = 0;
  std::unique_ptr<Scratch> columns_;
  std::unique_ptr<Scratch> values_;
  std::unique_ptr<Scratch> mask_;
};

}  // namespace

struct GridScan::State {
  Scan scan;
};

GridScan::GridScan() = default;
GridScan::~GridScan() = default;

const std::vector<CellTotal>& GridScan::run(const Field& field, const Grid& grid) {
  if (state_ == nullptr || !state_->scan.aim_at(field)) state_ = std::make_unique<State>(Scan(field, grid));
  return state_->scan.run();
}

std::vector<CellTotal> grid_totals(const Field& field, const Grid& grid) {
  Scan scan(field, grid);
  return std::move(scan).take();
}

}  // namespace percepts::kernels

#include <algorithm>
#include <limits>

#include "kernels/scan.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts::cuda {
namespace {

constexpr std::int64_t most_threads = 256;          ///< of a block
constexpr std::int64_t most_places = 1024;          ///< of a row of threads, for its runs
constexpr std::int64_t bytes_of_places = 43 << 10;  ///< of a block: with edges below what every card has
constexpr std::int64_t bytes_of_place = 36;         ///< of the largest type
constexpr std::int64_t wanted_blocks = 128;         ///< of a launch, so that no large card is left idle
constexpr std::int64_t rows_worth_a_thread = 4;
constexpr std::int64_t rows_of_thread = 16;  ///< at most; float32 sums would err by more (scan_columns.hpp)

constexpr std::int64_t bytes_of_cell = 64;  ///< at most, of all numbers of a cell in all arrays

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

Edges edges_of(std::int64_t extent, std::int32_t count) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return {.extent = extent,
          .quotient = extent / count,
          .remainder = extent % count,
          .count = count,
          .fits_32_bits = count <= 65535 && extent < most && (extent + 1) <= most / count};
}

/// Most cells that so many adjacent columns touch.
std::int64_t most_slots(std::int64_t columns, std::int64_t width, std::int64_t cols) {
  if (columns >= width) return cols;
  // Cells are at least floor(width / cols) wide; all but the first and the last one lie within the columns.
  return std::min(cols, columns / (width / cols) + 2);
}

std::int64_t power_of_two_up_to(std::int64_t value) {
  std::int64_t power = 1;
  while (2 * power <= value) power *= 2;
  return power;
}

/// Tiles of a row: as few as keep a row of threads within a block, and its runs within their places.
void cut_columns(ScanCut& cut, std::int64_t columns) {
  const std::int64_t threads = ceil_div(cut.extent.width, columns);
  for (std::int64_t tiles = ceil_div(threads, most_threads);; tiles *= 2) {
    const std::int64_t of_tile = ceil_div(threads, tiles);
    const std::int64_t slots = most_slots(of_tile * columns, cut.extent.width, cut.grid.cols);
    if (of_tile + slots > most_places && of_tile > 1) continue;
    tiles = ceil_div(threads, of_tile);
    if (tiles > std::numeric_limits<std::int32_t>::max()) {
      throw InvalidArgument(
          message("a map on a device may not be so wide, got ", cut.extent.width, " pixels"));
    }
    cut.tiles = static_cast<std::int32_t>(tiles);
    cut.column_threads = static_cast<std::int32_t>(of_tile);
    cut.slots = static_cast<std::int32_t>(slots);
    return;
  }
}

/// Chunks of a band: as many as make enough blocks, if each has some rows; and enough that none has too many.
void cut_rows(ScanCut& cut, std::int64_t maps) {
  const std::int64_t longest = ceil_div(cut.extent.height, cut.grid.rows);
  const std::int64_t places = cut.column_threads + cut.slots;
  const std::int64_t row_threads = std::clamp<std::int64_t>(
      std::min({most_threads / cut.column_threads, longest, bytes_of_places / (places * bytes_of_place)}), 1,
      most_threads);
  const std::int64_t most_rows = rows_of_thread * row_threads;
  // Of each only as many as would be enough by themselves: all together could be too many to count.
  const auto some = [](std::int64_t count) { return std::clamp<std::int64_t>(count, 1, wanted_blocks); };
  const std::int64_t blocks = some(maps) * some(cut.grid.rows) * some(cut.tiles);
  const std::int64_t wanted =
      std::min(ceil_div(wanted_blocks, blocks), longest / (rows_worth_a_thread * row_threads));
  // No band has fewer rows than chunks: where there is more than one, a chunk has several.
  const std::int64_t chunks = std::max({ceil_div(longest, most_rows), wanted, std::int64_t{1}});
  cut.chunks = static_cast<std::int32_t>(chunks);
  cut.row_threads = static_cast<std::int32_t>(row_threads);
}

/// Whoever makes room for the numbers of so many maps can count their bytes.
void check_bytes(const ScanCut& cut, std::int64_t maps) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
  const std::int64_t of_cells = most / (cut.cells() * bytes_of_cell);
  const std::int64_t of_partials = most / partial_bytes / cut.partials();
  if (maps <= std::min(of_cells, of_partials)) return;
  throw InvalidArgument(message("maps on a device may not be so many, got ", maps, " of ", cut.extent.height,
                                "x", cut.extent.width, " (height x width) with a grid of ", cut.grid.rows,
                                "x", cut.grid.cols));
}

}  // namespace

ScanCut scan_cut(DType dtype, const Extent& extent, const Grid& grid, std::int64_t maps) {
  ScanCut cut{.extent = extent,
              .grid = grid,
              .rows = edges_of(extent.height, grid.rows),
              .cols = edges_of(extent.width, grid.cols)};
  const std::int64_t columns = columns_of_thread_for(dtype);
  cut_columns(cut, columns);
  cut_rows(cut, maps);
  constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();
  const std::int64_t blocks_of_row = std::int64_t{cut.chunks} * cut.tiles;
  if (blocks_of_row > most_blocks / grid.rows || cut.tiles > most_blocks - grid.cols) {
    throw InvalidArgument(message("a map on a device may not be so large, got ", extent.height, "x",
                                  extent.width, " (height x width)"));
  }
  cut.blocks = static_cast<std::int32_t>(blocks_of_row * grid.rows);
  check_bytes(cut, maps);
  cut.threads =
      static_cast<std::int32_t>(ceil_div(std::int64_t{cut.column_threads} * cut.row_threads, 32) * 32);

  // One round for all cells where that leaves lanes enough; no more lanes than a cell has runs.
  const std::int64_t widest_cell = ceil_div(extent.width, grid.cols);
  const std::int64_t runs =
      std::min<std::int64_t>(widest_cell / columns + 2, cut.column_threads) * cut.row_threads;
  const std::int64_t lanes = std::min(power_of_two_up_to(std::max<std::int64_t>(cut.threads / cut.slots, 1)),
                                      2 * power_of_two_up_to(runs));
  cut.lanes = static_cast<std::int32_t>(std::min<std::int64_t>(lanes, 32));
  return cut;
}

cudaError_t scan(DType dtype, const ScanParams& params, const Validity* validity, std::int64_t maps,
                 cudaStream_t stream) {
  ScanLaunch launch_one = nullptr;
  for (const auto launch_of : {scan_of_small_integers, scan_of_large_integers, scan_of_reals}) {
    if (launch_one == nullptr) launch_one = launch_of(dtype);
  }
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / params.cut.blocks;
  ScanParams part = params;
  for (std::int64_t first = 0; first < maps; first += most) {
    part.first_map = first;
    const cudaError_t error =
        launch_one(part, validity, static_cast<unsigned>(std::min(most, maps - first)), stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace percepts::cuda

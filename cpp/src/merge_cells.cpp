#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "percepts/reading.hpp"
#include "percepts/reduce.hpp"
#include "src/cells.hpp"
#include "src/neighbors.hpp"

namespace percepts {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Which coarse cell each fine one is part of.
class Blocks {
 public:
  Blocks(const Grid& fine, std::int32_t factor)
      : fine_(fine), factor_(factor), coarse_{fine.rows / factor, fine.cols / factor} {}

  const Grid& coarse() const { return coarse_; }

  /// Calls `visit(fine, coarse)` for each fine cell, row by row.
  template <class Visitor>
  void for_each(Visitor visit) const {
    for (std::int32_t row = 0; row < fine_.rows; ++row) {
      for (std::int32_t col = 0; col < fine_.cols; ++col) {
        const auto fine = static_cast<std::size_t>(row) * static_cast<std::size_t>(fine_.cols);
        const auto coarse = static_cast<std::size_t>(row / factor_) * static_cast<std::size_t>(coarse_.cols);
        visit(fine + static_cast<std::size_t>(col), coarse + static_cast<std::size_t>(col / factor_));
      }
    }
  }

  template <class T>
  std::vector<T> filled(T value) const {
    return std::vector<T>(static_cast<std::size_t>(coarse_.cells()), value);
  }

 private:
  Grid fine_;
  std::int32_t factor_;
  Grid coarse_;
};

/// Whether the pixels of a cell can be counted.
bool is_countable(const Grid& grid, const Extent& extent) {
  const double height = static_cast<double>(extent.height / grid.rows + 1);
  const double width = static_cast<double>(extent.width / grid.cols + 1);
  return height * width <= static_cast<double>(std::numeric_limits<std::int32_t>::max());
}

/// Valid pixels of each fine cell, from their share.
std::vector<double> counts_of(const std::vector<double>& share, const Grid& grid, const Extent& extent) {
  const std::vector<double> heights = sizes_of(extent.height, grid.rows);
  const std::vector<double> widths = sizes_of(extent.width, grid.cols);
  std::vector<double> counts;
  counts.reserve(share.size());
  for (const double height : heights) {
    for (const double width : widths) counts.push_back(std::round(share[counts.size()] * (height * width)));
  }
  return counts;
}

std::vector<std::int32_t> merged_counts(const std::vector<double>& counts, const Blocks& blocks) {
  auto merged = blocks.filled<std::int32_t>(0);
  blocks.for_each([&](std::size_t fine, std::size_t coarse) {
    merged[coarse] += static_cast<std::int32_t>(counts[fine]);
  });
  return merged;
}

/// What a sum may keep of parts that cancel out, in units of the sum of their magnitudes: the parts are means
/// that were rounded, times their counts.
constexpr double residue = 0x1p-50;

/// Sums divided by counts; where a sum overflows each part is divided first. What cancels out is 0.
std::vector<double> merged_means(const std::vector<double>& mean, const std::vector<double>& counts,
                                 const std::vector<std::int32_t>& total, const Blocks& blocks) {
  auto sums = blocks.filled<double>(0);
  auto divided = blocks.filled<double>(0);
  auto magnitudes = blocks.filled<double>(0);
  blocks.for_each([&](std::size_t fine, std::size_t coarse) {
    if (counts[fine] == 0) return;
    sums[coarse] += mean[fine] * counts[fine];
    magnitudes[coarse] += std::abs(mean[fine]) * counts[fine];
    divided[coarse] += mean[fine] * (counts[fine] / total[coarse]);
  });
  for (std::size_t cell = 0; cell < sums.size(); ++cell) {
    if (std::abs(sums[cell]) <= residue * magnitudes[cell] && std::isfinite(magnitudes[cell])) sums[cell] = 0;
    sums[cell] = total[cell] == 0            ? nan
                 : std::isfinite(sums[cell]) ? sums[cell] / total[cell]
                                             : divided[cell];
  }
  return sums;
}

/// The smallest or the largest of each block, `better(a, b)` of two; NaN without any.
template <class Better>
std::vector<float> merged_extremes(const std::vector<float>& values, const Blocks& blocks, Better better) {
  auto merged = blocks.filled<float>(std::numeric_limits<float>::quiet_NaN());
  blocks.for_each([&](std::size_t fine, std::size_t coarse) {
    if (std::isnan(values[fine])) return;
    merged[coarse] = std::isnan(merged[coarse]) ? values[fine] : better(merged[coarse], values[fine]);
  });
  return merged;
}

CellRelations relations_of(const std::vector<double>& means, const Grid& grid, const InFrontRule& rule) {
  CellRelations relations{.predicates = {"in_front_of"}, .pairs = {}};
  const std::int64_t most = rule.most.value_or(std::numeric_limits<std::int64_t>::max());
  for_each_neighbors(grid, [&](std::int32_t a, std::int32_t b) {
    if (std::cmp_greater_equal(relations.pairs.size(), most)) return;
    const double mean_a = means[static_cast<std::size_t>(a)];
    const double mean_b = means[static_cast<std::size_t>(b)];
    const int sign = rule.nearer_is_larger ? in_front(mean_a, mean_b, rule.tau)
                                           : in_front_by_distance(mean_a, mean_b, rule.tau);
    if (sign != 0)
      relations.pairs.push_back(sign > 0 ? CellRelation{a + 1, b + 1} : CellRelation{b + 1, a + 1});
  });
  return relations;
}

void read_depth(Program& merged, const Program& program, const Blocks& blocks) {
  std::vector<float> low = merged_extremes(array_of<float>(program, "min"), blocks,
                                           [](float a, float b) { return std::min(a, b); });
  std::vector<float> high = merged_extremes(array_of<float>(program, "max"), blocks,
                                            [](float a, float b) { return std::max(a, b); });
  column::Reals readings{.width = 2, .values = {}};
  for (std::size_t cell = 0; cell < low.size(); ++cell) {
    readings.values.push_back(low[cell]);
    readings.values.push_back(high[cell]);
  }
  merged.r = std::move(readings);
  add_array(merged, "min", std::move(low));
  add_array(merged, "max", std::move(high));
}

/// The words for a mean below zero, any other, and none.
void read_flow(Program& merged, const column::Words& words, const std::vector<double>& means) {
  column::Words readings{.words = words.words, .index = {}};
  for (const double mean : means) {
    readings.index.push_back(static_cast<std::uint8_t>(std::isnan(mean) ? 2 : mean < 0 ? 0 : 1));
  }
  merged.r = std::move(readings);
}

}  // namespace

std::optional<Program> merge_cells(const Program& program, std::int32_t factor) {
  const bool is_labelled = !std::holds_alternative<column::Absent>(program.b);
  if (!program.origin || !program.grid || is_labelled || factor < 1) return std::nullopt;
  const Grid& grid = *program.grid;
  if (grid.rows % factor != 0 || grid.cols % factor != 0) return std::nullopt;
  const auto& [extent, rule] = *program.origin;
  const Blocks blocks(grid, factor);
  if (!is_countable(blocks.coarse(), extent)) return std::nullopt;
  const std::vector<double> counts = counts_of(array_of<double>(program, "valid"), grid, extent);
  const std::vector<std::int32_t> total = merged_counts(counts, blocks);
  std::vector<double> means = merged_means(array_of<double>(program, "mean"), counts, total, blocks);

  Program merged = program_of_cells(program.modality.c_str(), blocks.coarse(), extent);
  merged.note = program.note;
  merged.origin = program.origin;
  if (const auto* words = std::get_if<column::Words>(&program.r)) {
    read_flow(merged, *words, means);
  } else {
    read_depth(merged, program, blocks);
  }
  if (rule) merged.relations = relations_of(means, blocks.coarse(), *rule);
  add_array(merged, "mean", std::move(means));
  add_array(merged, "valid", valid_share(total, blocks.coarse(), extent));
  return merged;
}

}  // namespace percepts

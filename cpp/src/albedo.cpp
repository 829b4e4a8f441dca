#include "percepts/albedo.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "percepts/dtype.hpp"
#include "percepts/error.hpp"
#include "percepts/kernels.hpp"
#include "src/cells.hpp"
#include "src/message.hpp"
#include "src/neighbors.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

enum Predicate : std::uint8_t { darker, same };

CellRelations relations_of(const std::vector<double>& median, const AlbedoOptions& options) {
  CellRelations relations{.predicates = {"is darker than", "about the same as"}, .pairs = {}};
  for_each_neighbors(options.grid, [&](std::int32_t a, std::int32_t b) {
    const double first = median[static_cast<std::size_t>(a)];
    const double second = median[static_cast<std::size_t>(b)];
    if (std::isnan(first) || std::isnan(second)) return;
    if (first + options.tau < second) {
      relations.pairs.push_back({a + 1, b + 1, darker});
    } else if (second + options.tau < first) {
      relations.pairs.push_back({b + 1, a + 1, darker});
    } else {
      relations.pairs.push_back({a + 1, b + 1, same});
    }
  });
  return relations;
}

/// Estimates in floating point may leave [0, 1] a little and are limited. Whole numbers outside are on
/// another scale, which nothing tells.
void check_whole_numbers(DType dtype, const std::vector<double>& medians) {
  switch (dtype) {
    case DType::int8:
    case DType::int16:
    case DType::int32:
    case DType::int64:
      break;
    default:
      return;
  }
  for (const double median : medians) {
    if (!(median < 0 || median > 1)) continue;
    throw InvalidArgument(message("albedo of ", name_of(dtype),
                                  " must be in [0, 1], got a cell with a median of ", median,
                                  "; divide it, or give an unsigned type, whose maximum is white"));
  }
}

}  // namespace

void check(const AlbedoOptions& options) { check_tau(options.tau); }

Program albedo(const Field& field, const AlbedoOptions& options) {
  check(options);
  CellMedians medians = cell_median(field, options.grid);
  check_whole_numbers(field.dtype, medians.median);
  const double scale = full_scale(field.dtype);
  column::Reals readings{.width = 1, .values = {}};
  for (double& median : medians.median) {
    median = std::isnan(median) ? median : std::clamp(median / scale, 0.0, 1.0);
    readings.values.push_back(static_cast<float>(median));
  }
  Program program = program_of_cells("albedo", options.grid, field.extent);
  program.note = note_of(options);
  program.r = std::move(readings);
  if (options.relations) program.relations = relations_of(medians.median, options);
  add_array(program, "median", std::move(medians.median));
  add_array(program, "valid", valid_share(medians.count, options.grid, field.extent));
  return program;
}

}  // namespace percepts

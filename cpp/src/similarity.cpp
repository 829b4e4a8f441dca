#include "percepts/similarity.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/element.hpp"
#include "kernels/valid_pixels.hpp"
#include "percepts/error.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

using namespace kernels;

/// Appends the values of a map, row by row: NaN where one is invalid.
void append_values(const Field& field, std::vector<double>& values) {
  visit_element(field.dtype, [&]<class Element>(Element) {
    const auto sentinels = sentinels_of<Element>(field);
    for (std::int64_t y = 0; y < field.extent.height; ++y) {
      for (std::int64_t x = 0; x < field.extent.width; ++x) {
        values.push_back(std::numeric_limits<double>::quiet_NaN());
        for_each_valid<Element>(run_of(field, y, x, x + 1), sentinels,
                                // Adding 0 makes 0 of −0.
                                [&](auto value) { values.back() = static_cast<double>(value) + 0.0; });
      }
    }
  });
}

float float32_reading(double value) {
  const auto printed = static_cast<float>(value);
  if (std::isinf(printed)) throw InvalidArgument(message("readings must fit float32, got ", value));
  return printed;
}

void check_maps(std::span<const NamedMap> maps) {
  if (maps.empty()) throw InvalidArgument("maps must have at least one map, got none");
  const auto& [height, width] = maps.front().map.extent;
  for (const auto& [name, map] : maps) {
    check_sentinels(map);
    if (map.extent.height != height || map.extent.width != width) {
      throw InvalidArgument(message("maps must have one shape, got ", height, "x", width, " and ",
                                    map.extent.height, "x", map.extent.width, " (height x width)"));
    }
  }
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const bool fits = height > 0 && width > 0 && width <= most && height <= most / width &&
                    std::cmp_less_equal(maps.size(), most / (height * width));
  if (!fits) {
    throw InvalidArgument(message("maps must have 1 to ", most, " values in all, got ", maps.size(),
                                  " maps of ", height, "x", width, " (height x width)"));
  }
}

}  // namespace

Program similarity(std::span<const NamedMap> maps, const SimilarityOptions& options) {
  check_maps(maps);
  const auto& [height, width] = maps.front().map.extent;
  std::vector<double> values;
  column::Labels candidates;
  for (const auto& [name, map] : maps) {
    append_values(map, values);
    candidates.index.resize(values.size(), static_cast<std::int32_t>(candidates.names.size()));
    candidates.names.push_back(name);
  }
  column::Reals readings{.width = 1, .values = {}, .format = NumberFormat::fixed6};
  for (const double value : values) readings.values.push_back(float32_reading(value));

  Program program;
  program.modality = "similarity";
  program.granularity = "patch";
  program.grid = Grid{static_cast<std::int32_t>(height), static_cast<std::int32_t>(width)};
  program.note = note_of(options);
  program.size = values.size();
  program.p = column::Ordinal{};
  program.c = std::move(candidates);
  program.r = std::move(readings);
  program.arrays.push_back(
      {"similarity", {static_cast<std::int64_t>(maps.size()), height, width}, std::move(values)});
  return program;
}

}  // namespace percepts

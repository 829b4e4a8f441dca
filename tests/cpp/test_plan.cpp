#include <vector>

#include "check.hpp"
#include "percepts/plan.hpp"

namespace {

using percepts::DType;
using percepts::Field;

/// A map with some holes, in several layouts.
std::vector<float> values_of(int seed) {
  std::vector<float> values(60 * 80);
  for (std::size_t at = 0; at < values.size(); ++at) {
    values[at] = static_cast<float>((at * 7 + static_cast<std::size_t>(seed) * 13) % 101);
  }
  return values;
}

void check_same(percepts::StatsPlan& plan, const Field& field) {
  const percepts::GridStats& ours = plan(field);
  const percepts::GridStats theirs = percepts::grid_stats(field, {3, 4});
  check::that(ours.min == theirs.min && ours.max == theirs.max && ours.mean == theirs.mean &&
              ours.count == theirs.count);
}

void test_layouts_one_after_another() {
  percepts::StatsPlan plan(DType::float32, {30, 40}, {3, 4});
  for (int seed = 0; seed < 3; ++seed) {
    const std::vector<float> values = values_of(seed);
    Field field = percepts::dense_field(values.data(), {30, 40});
    check_same(plan, field);
    field.stride_y = 320;  // rows of a wider map
    check_same(plan, field);
    field.stride_x = 8;  // every second column
    check_same(plan, field);
    field.data += 39 * 8;
    field.stride_x = -8;
    check_same(plan, field);
    field = percepts::dense_field(values.data(), {30, 40});
    field.stride_y = 4;  // transposed
    field.stride_x = 120;
    check_same(plan, field);
  }
}

void test_results_stay_in_place() {
  percepts::StatsPlan plan(DType::float32, {30, 40}, {3, 4});
  const std::vector<float> first = values_of(1);
  const std::vector<float> second = values_of(2);
  const double* means = plan(percepts::dense_field(first.data(), {30, 40})).mean.data();
  check::that(plan(percepts::dense_field(second.data(), {30, 40})).mean.data() == means);
}

void test_other_maps() {
  percepts::StatsPlan plan(DType::float32, {30, 40}, {3, 4});
  const std::vector<float> values = values_of(0);
  check::refused([&] { plan(percepts::dense_field(values.data(), {40, 30})); },
                 "this plan is for maps of 30x40 float32, got 40x30 float32");
  check::refused([] { percepts::StatsPlan(DType::uint8, {3, 3}, {4, 3}); }, "every cell must hold a pixel");
}

}  // namespace

int main() {
  test_layouts_one_after_another();
  test_results_stay_in_place();
  test_other_maps();
}

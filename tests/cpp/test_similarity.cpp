#include <limits>
#include <vector>

#include "check.hpp"
#include "percepts/error.hpp"
#include "percepts/similarity.hpp"

namespace {

void test_text() {
  const std::vector<float> first{0.5F, -1e-9F};
  const std::vector<std::uint8_t> second{1, 0};
  const std::vector<percepts::NamedMap> maps{{"A", percepts::dense_field(first.data(), {1, 2})},
                                             {"no", percepts::dense_field(second.data(), {1, 2})}};
  check::text(to_text(percepts::similarity(maps, {.note = percepts::NoNote{}})), R"(<perceptionprogram>
modality: similarity
granularity: patch
grid:
  rows: 1
  cols: 2
items:
  - p: 1
    c: "A"
    r: 0.500000
  - p: 2
    c: "A"
    r: 0.000000
  - p: 3
    c: "no"
    r: 1.000000
  - p: 4
    c: "no"
    r: 0.000000
</perceptionprogram>)");
}

void test_what_is_refused() {
  check::refused([] { percepts::similarity({}); }, "at least one map");
  const std::vector<double> values{0.5, std::numeric_limits<double>::max()};
  std::vector<percepts::NamedMap> maps{{"A", percepts::dense_field(values.data(), {1, 2})}};
  check::refused([&] { percepts::similarity(maps); }, "readings must fit float32");
  maps.push_back({"B", percepts::dense_field(values.data(), {1, 1})});
  check::refused([&] { percepts::similarity(maps); }, "maps must have one shape, got 1x2 and 1x1");
  maps = {{"A", percepts::dense_field(values.data(), {0, 2})}};
  check::refused([&] { percepts::similarity(maps); }, "maps must have 1 to 2147483647 values");
}

}  // namespace

int main() {
  test_text();
  test_what_is_refused();
}

#include <string>
#include <vector>

#include "check.hpp"
#include "percepts/depth.hpp"
#include "percepts/label_mode.hpp"
#include "percepts/reduce.hpp"
#include "percepts/values.hpp"

namespace {

const std::vector<float> map{0.1f, 0.2f, 0.6f, 0.9f, 0.3f, 0.2f, 0.7f, 0.8f};

percepts::Program depth_of(std::int32_t rows, std::int32_t cols, bool relations = true) {
  percepts::DepthOptions options;
  options.grid = {rows, cols};
  options.relations = relations;
  return percepts::depth(percepts::dense_field(map.data(), {2, 4}), options);
}

void merging() {
  const percepts::Program fine = depth_of(2, 4);
  const auto merged = percepts::merge_cells(fine, 2);
  check::that(merged.has_value());
  check::that(*merged == depth_of(1, 2));
  check::that(percepts::array_of<float>(*merged, "max") == std::vector<float>{0.3f, 0.9f});
  check::that(!percepts::merge_cells(fine, 4));
  check::that(!percepts::merge_cells(fine, 0));
  check::that(!percepts::merge_cells(percepts::parse(to_text(fine)), 2));
  percepts::Program labelled = fine;
  percepts::attach_labels(labelled, {"wall"}, std::vector<std::int32_t>(8, 0));
  check::that(!percepts::merge_cells(labelled, 2));
}

void dropping_relations() {
  const percepts::Program bare = percepts::without_relations(depth_of(2, 4));
  check::that(bare == depth_of(2, 4, false));
  check::that(*percepts::merge_cells(bare, 2) == depth_of(1, 2, false));
}

void picking_items() {
  const std::vector<std::size_t> indices{0, 2};
  percepts::Program matches;
  matches.modality = "correspondence";
  matches.granularity = "keypoint";
  matches.size = 3;
  matches.p = percepts::column::Ordinal{};
  matches.c = percepts::column::Integers{.width = 2, .values = {1, 2, 3, 4, 5, 6}};
  matches.b = percepts::column::Labels{.names = {"x", "w"}, .index = {0, 0, 1}};
  matches.arrays.push_back({"points0", {3, 2}, std::vector<double>{1, 2, 3, 4, 5, 6}});
  const percepts::Program part = percepts::pick_items(matches, indices);
  check::text(to_text(part, percepts::Style::compact),
              "<perceptionprogram>\n"
              "compact correspondence keypoint\n"
              "items: p=1..2 c b\n"
              "1,2 x\n"
              "5,6 w\n"
              "</perceptionprogram>");
  check::that(percepts::array_of<double>(part, "points0") == std::vector<double>{1, 2, 5, 6});
  check::that(part == percepts::pick_items(percepts::parse(to_text(matches)), indices));
  const std::vector<std::size_t> beyond{3};
  check::refused([&] { percepts::pick_items(matches, beyond); }, "below the number of items, 3");
}

}  // namespace

int main() {
  merging();
  dropping_relations();
  picking_items();
}

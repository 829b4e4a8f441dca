#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "percepts/batch.hpp"

using percepts::Field;

namespace {

constexpr percepts::Extent extent{24, 36};

/// Maps of one value each, all in [0, 1] but for those named.
class Maps {
 public:
  Maps(std::size_t count, const std::vector<std::size_t>& bad)
      : values_(count, std::vector<float>(static_cast<std::size_t>(extent.height * extent.width))) {
    for (std::size_t map = 0; map < count; ++map) {
      const float value = static_cast<float>(map % 10) / 10;
      for (float& pixel : values_[map]) pixel = value;
      fields.push_back(percepts::dense_field(values_[map].data(), extent));
    }
    for (const std::size_t map : bad) values_[map][77] = 5;
  }

  std::vector<Field> fields;

 private:
  std::vector<std::vector<float>> values_;
};

void test_any_number_of_threads_gives_the_same() {
  const Maps maps(50, {});
  for (const std::size_t threads : {1, 2, 7, 100}) {
    const auto programs = percepts::depth(maps.fields, {}, {threads, nullptr});
    check::that(programs.size() == 50);
    std::vector<const percepts::Program*> pointers;
    for (std::size_t map = 0; map < programs.size(); ++map) {
      check::text(to_text(programs[map]), to_text(percepts::depth(maps.fields[map])));
      pointers.push_back(&programs[map]);
    }
    const auto texts = percepts::to_texts(pointers, percepts::Style::paper, {threads, nullptr});
    check::text(texts[49], to_text(programs[49]));
  }
  check::that(percepts::flow(maps.fields, {}, {3, nullptr}).size() == 50);
  check::that(percepts::depth(std::vector<Field>{}, {}, {3, nullptr}).empty());
}

void test_the_first_bad_map_is_named() {
  const Maps maps(40, {31, 12, 39});
  for (const std::size_t threads : {1, 4}) {
    check::refused([&] { percepts::depth(maps.fields, {}, {threads, nullptr}); },
                   "map 12 of the batch: kind='relative'");
  }
}

void test_the_caller_may_stop() {
  const Maps maps(200, {});
  for (const std::size_t threads : {1, 4}) {
    int polls = 0;
    const auto poll = [&polls] {
      if (++polls == 3) throw std::runtime_error("stop");
    };
    bool stopped = false;
    try {
      percepts::depth(maps.fields, {}, {threads, poll});
    } catch (const std::runtime_error& error) {
      stopped = std::string(error.what()) == "stop";
    }
    // With many threads the calling one may find nothing left before its third map.
    check::that(stopped || (threads > 1 && polls < 3));
    check::that(polls <= 3);
  }
}

}  // namespace

int main() {
  test_any_number_of_threads_gives_the_same();
  test_the_first_bad_map_is_named();
  test_the_caller_may_stop();
}

#include <algorithm>
#include <utility>

#include "percepts/error.hpp"
#include "percepts/label_mode.hpp"
#include "src/message.hpp"

namespace percepts {

void attach_labels(Program& program, std::vector<std::string> names, std::vector<std::int32_t> index) {
  if (index.size() != program.size) {
    throw InvalidArgument(
        message("every item needs a label: ", program.size, " items, got ", index.size(), " labels"));
  }
  const auto most = static_cast<std::int64_t>(names.size());
  if (!std::all_of(index.begin(), index.end(), [&](std::int32_t k) { return k >= 0 && k < most; })) {
    throw InvalidArgument(message("labels must be indices below ", most));
  }
  program.b = column::Labels{.names = std::move(names), .index = std::move(index)};
}

}  // namespace percepts

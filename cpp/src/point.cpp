#include "percepts/point.hpp"

#include <limits>

#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts {

Rounding rounding(std::string_view name) {
  if (name == "floor") return Rounding::floor;
  if (name == "nearest") return Rounding::nearest;
  throw InvalidArgument(message("rounding must be 'floor' or 'nearest', got '", name, "'"));
}

Outside outside(std::string_view name) {
  if (name == "error") return Outside::error;
  if (name == "clip") return Outside::clip;
  throw InvalidArgument(message("outside must be 'error' or 'clip', got '", name, "'"));
}

void check_size(const Extent& size, std::string_view name) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (size.width >= 1 && size.height >= 1 && size.width <= most && size.height <= most) return;
  throw InvalidArgument(message(name, " must be (width, height) of 1 to ", most, " pixels each, got (",
                                size.width, ", ", size.height, ")"));
}

}  // namespace percepts

#include <algorithm>

#include "percepts/error.hpp"
#include "percepts/program.hpp"
#include "src/message.hpp"

namespace percepts {

Shape::Shape(std::initializer_list<std::int64_t> dimensions) : rank(dimensions.size()) {
  if (rank > sizes.size()) {
    throw InvalidArgument(message("an array must have at most ", sizes.size(), " dimensions, got ", rank));
  }
  std::copy(dimensions.begin(), dimensions.end(), sizes.begin());
}

template <class T>
const std::vector<T>& array_of(const Program& program, std::string_view name) {
  for (const NamedArray& array : program.arrays) {
    const auto* values = std::get_if<std::vector<T>>(&array.values);
    if (array.name == name && values != nullptr) return *values;
  }
  throw InvalidArgument(message("the program must have an array '", name, "' of this type"));
}

template const std::vector<float>& array_of(const Program& program, std::string_view name);
template const std::vector<double>& array_of(const Program& program, std::string_view name);
template const std::vector<std::int32_t>& array_of(const Program& program, std::string_view name);
template const std::vector<std::int64_t>& array_of(const Program& program, std::string_view name);

}  // namespace percepts

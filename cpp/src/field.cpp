#include "percepts/field.hpp"

#include "percepts/error.hpp"
#include "src/message.hpp"

namespace percepts {

void check_sentinels(const Field& field) {
  const std::size_t element = size_of(field.dtype);
  if (field.sentinels.size() % element != 0) {
    throw InvalidArgument(message("sentinels must be whole elements of ", name_of(field.dtype), ", ", element,
                                  " bytes each, got ", field.sentinels.size(), " bytes"));
  }
}

}  // namespace percepts

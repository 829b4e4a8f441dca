#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "percepts/values.hpp"
#include "src/parse_value.hpp"

namespace percepts {
namespace {

/// The single values that the items have as p.
struct Ids {
  std::unordered_set<std::string_view> numbers;
  std::unordered_set<std::string_view> texts;
};

Ids ids_of(const std::vector<std::optional<Value>>& values) {
  Ids ids;
  for (const std::optional<Value>& value : values) {
    if (!value || value->is_list) continue;
    const Scalar& p = value->scalars.front();
    (p.kind == Scalar::Kind::number ? ids.numbers : ids.texts).insert(p.text);
  }
  return ids;
}

void resolve(Scalar& end, const Ids& ids) {
  const bool can_be_number = end.kind == Scalar::Kind::number || parsing::is_number(end.text);
  const bool is_number = ids.numbers.contains(end.text) || (!ids.texts.contains(end.text) && can_be_number);
  end.kind = is_number ? Scalar::Kind::number : Scalar::Kind::text;
}

}  // namespace

void resolve_relations(Program& program) {
  auto* relations = std::get_if<std::vector<NamedRelation>>(&program.relations);
  if (relations == nullptr || relations->empty()) return;
  const auto* column = std::get_if<column::Values>(&program.p);
  const Ids ids = column == nullptr ? Ids() : ids_of(column->values);
  for (NamedRelation& relation : *relations) {
    resolve(relation.a, ids);
    resolve(relation.b, ids);
  }
}

}  // namespace percepts

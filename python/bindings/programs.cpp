#include <pybind11/stl.h>

#include <optional>

#include "arrays.hpp"
#include "items.hpp"
#include "maps.hpp"
#include "module.hpp"
#include "notes.hpp"
#include "percepts/batch.hpp"
#include "percepts/depth.hpp"
#include "percepts/flow.hpp"
#include "percepts/label_mode.hpp"
#include "percepts/reduce.hpp"
#include "percepts/values.hpp"
#include "strings.hpp"
#include "values.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

DepthOptions depth_options(std::int32_t rows, std::int32_t cols, double tau, std::string_view kind,
                           double scale, std::optional<std::pair<double, double>> range, bool normalize,
                           bool sentinels_named, bool labelled, bool relations,
                           std::optional<std::int64_t> max_relations, const py::object& note) {
  DepthOptions options{.grid = {rows, cols},
                       .tau = tau,
                       .kind = depth_kind(kind),
                       .scale = scale,
                       .range = std::nullopt,
                       .normalize = normalize,
                       .sentinels_named = sentinels_named,
                       .labelled = labelled,
                       .relations = relations,
                       .max_relations = max_relations,
                       .note = note_of(note)};
  if (range) options.range = DepthRange{.near = range->first, .far = range->second};
  check(options);
  return options;
}

FlowOptions flow_options(std::int32_t rows, std::int32_t cols, std::string_view axis, std::string_view motion,
                         bool labelled, const py::object& note) {
  return {.grid = {rows, cols},
          .axis = flow_axis(axis),
          .motion = flow_motion(motion),
          .labelled = labelled,
          .note = note_of(note)};
}

Program depth_of(const View& array, const py::object& mask, const py::object& sentinels,
                 const DepthOptions& options) {
  const Field field = field_of(array, mask, sentinels);
  const WithoutGil release;
  return depth(field, options);
}

Program flow_of(const View& component, const py::object& mask, const py::object& sentinels,
                const FlowOptions& options) {
  const Field field = field_of(component, mask, sentinels);
  const WithoutGil release;
  return flow(field, options);
}

template <class Options>
std::vector<Program> programs_of(const py::sequence& prepared, const Options& options, std::size_t threads) {
  const std::vector<Field> fields = fields_of(prepared);
  const WithoutGil release;
  if constexpr (std::is_same_v<Options, DepthOptions>) {
    return depth(fields, options, {threads, &poll_python});
  } else {
    return flow(fields, options, {threads, &poll_python});
  }
}

py::list texts_of(const std::vector<const Program*>& programs, std::string_view style, std::size_t threads) {
  std::vector<std::string> texts;
  {
    const Style chosen = text_style(style);
    const WithoutGil release;
    texts = to_texts(programs, chosen, {threads, &poll_python});
  }
  py::list list;
  for (const std::string& text : texts) list.append(str_of(text));
  return list;
}

void label_items(Program& program, const std::vector<py::str>& names, std::vector<std::int32_t> index) {
  std::vector<std::string> utf8;
  for (const py::str& name : names) utf8.push_back(utf8_of(name));
  attach_labels(program, std::move(utf8), std::move(index));
}

/// One field of all items, from their tuples (p, i, c, r, b).
template <class Convert>
Column column_of(const py::sequence& items, std::size_t position, char name, Convert convert) {
  column::Values column;
  bool any = false;
  for (std::size_t index = 0; index < items.size(); ++index) {
    const std::string where = "items[" + std::to_string(index) + "]." + name;
    column.values.push_back(convert(py::tuple(items[index])[position], where));
    any = any || column.values.back().has_value();
  }
  if (!any) return column::Absent{};
  return column;
}

Program program_by_hand(const py::str& modality, const py::str& granularity, const py::sequence& items,
                        const py::sequence& relations,
                        std::optional<std::pair<std::int32_t, std::int32_t>> grid, const py::object& note) {
  Program program;
  program.modality = utf8_of(modality);
  program.granularity = utf8_of(granularity);
  if (grid) program.grid = Grid{grid->first, grid->second};
  if (!note.is_none()) program.note = utf8_of(note);
  program.size = items.size();
  program.p = column_of(items, 0, 'p', value_of);
  program.i = column_of(items, 1, 'i', value_of);
  program.c = column_of(items, 2, 'c', value_of);
  program.r = column_of(items, 3, 'r', reading_of);
  program.b = column_of(items, 4, 'b', value_of);
  std::vector<NamedRelation> named;
  for (std::size_t index = 0; index < relations.size(); ++index) {
    const py::tuple relation = relations[index];
    const std::string where = "relations[" + std::to_string(index) + "]";
    named.push_back({.a = scalar_of(relation[0], where + ".a"),
                     .predicate = utf8_of(relation[1]),
                     .b = scalar_of(relation[2], where + ".b")});
  }
  program.relations = std::move(named);
  check(program);
  resolve_relations(program);
  return program;
}

struct PythonRelations {
  py::list operator()(const CellRelations& relations) const {
    std::vector<py::str> predicates;
    for (const std::string_view predicate : relations.predicates) predicates.push_back(str_of(predicate));
    py::list list;
    for (const auto& [a, b, predicate] : relations.pairs) {
      list.append(py::make_tuple(a, predicates[predicate], b));
    }
    return list;
  }

  py::list operator()(const std::vector<NamedRelation>& relations) const {
    py::list list;
    for (const auto& [a, predicate, b] : relations) {
      list.append(py::make_tuple(plain_scalar(a), predicate, plain_scalar(b)));
    }
    return list;
  }
};

py::list relations_of(const Program& program) { return std::visit(PythonRelations{}, program.relations); }

/// The relations as a YAML reader finds them in the text.
struct RelationsAsRead {
  static py::list entry(const std::string& a, std::string_view predicate, const std::string& b) {
    py::list list;
    list.append("p=" + a);
    list.append(py::str(predicate.data(), predicate.size()));
    list.append("p=" + b);
    return list;
  }

  py::list operator()(const CellRelations& relations) const {
    py::list list;
    for (const auto& [a, b, predicate] : relations.pairs) {
      list.append(entry(std::to_string(a), relations.predicates[predicate], std::to_string(b)));
    }
    return list;
  }

  py::list operator()(const std::vector<NamedRelation>& relations) const {
    py::list list;
    for (const auto& [a, predicate, b] : relations) list.append(entry(a.text, predicate, b.text));
    return list;
  }
};

py::list relations_as_read(const Program& program) {
  return std::visit(RelationsAsRead{}, program.relations);
}

std::size_t relation_count(const Program& program) {
  struct Count {
    std::size_t operator()(const CellRelations& relations) const { return relations.pairs.size(); }
    std::size_t operator()(const std::vector<NamedRelation>& relations) const { return relations.size(); }
  };
  return std::visit(Count{}, program.relations);
}

py::dict arrays_of(const Program& program) {
  py::dict arrays;
  const auto* centers = std::get_if<column::Integers>(&program.c);
  if (program.grid && centers != nullptr && !program.arrays.empty()) {
    arrays["center"] = array_of<std::int32_t>(centers->values, {program.grid->rows, program.grid->cols, 2});
  }
  for (const NamedArray& array : program.arrays) {
    const auto* const sizes = array.shape.sizes.data();
    arrays[py::str(array.name)] = std::visit(
        [&]<class T>(const std::vector<T>& values) -> py::object {
          return array_of<T>(values, {sizes, sizes + array.shape.rank});
        },
        array.values);
  }
  return arrays;
}

/// Lets other threads run Python meanwhile, where the work is long enough to be worth the change.
class GilBreak {
 public:
  explicit GilBreak(std::size_t items_or_lines) {
    constexpr std::size_t worthwhile = 1000;
    if (items_or_lines >= worthwhile) release_.emplace();
  }

 private:
  std::optional<WithoutGil> release_;
};

std::string text_of(const Program& program, Style style) {
  const GilBreak others_run(program.size + relation_count(program));
  return to_text(program, style);
}

std::string json_of(const Program& program) {
  const GilBreak others_run(program.size + relation_count(program));
  return to_json(program);
}

constexpr std::size_t typical_line = 20;

Program parsed(const py::str& text) {
  const std::string utf8 = utf8_of(text);
  const GilBreak others_run(utf8.size() / typical_line);
  return parse(utf8);
}

std::vector<Program> found(const py::str& text) {
  const std::string utf8 = utf8_of(text);
  const GilBreak others_run(utf8.size() / typical_line);
  return find_programs(utf8);
}

py::object grid_of(const Program& program) {
  if (!program.grid) return py::none();
  return py::make_tuple(program.grid->rows, program.grid->cols);
}

}  // namespace

void bind_programs(py::module_& module) {
  py::class_<DepthOptions>(module, "DepthOptions").def(py::init(&depth_options));
  py::class_<FlowOptions>(module, "FlowOptions").def(py::init(&flow_options));
  py::class_<Program>(module, "Program")
      .def_readonly("modality", &Program::modality)
      .def_readonly("granularity", &Program::granularity)
      .def_property_readonly("grid", &grid_of)
      .def_readonly("note", &Program::note)
      .def_readonly("item_count", &Program::size)
      .def_property_readonly("relation_count", &relation_count)
      .def("items", &items_of)
      .def("item", &item_of)
      .def("dicts", &dicts_of)
      .def("relations", &relations_of)
      .def("relations_as_read", &relations_as_read)
      .def("arrays", &arrays_of)
      .def("merged", &merge_cells)
      .def("without_relations", [](const Program& program) { return without_relations(program); })
      .def("picked", [](const Program& program,
                        const std::vector<std::size_t>& indices) { return pick_items(program, indices); })
      .def(
          "to_text",
          [](const Program& program, std::string_view style) {
            return str_of(text_of(program, text_style(style)));
          },
          py::arg("style") = "paper")
      .def("to_json", [](const Program& program) { return str_of(json_of(program)); });
  module.def("depth", &depth_of);
  module.def("flow", &flow_of);
  module.def("depth_batch", &programs_of<DepthOptions>);
  module.def("flow_batch", &programs_of<FlowOptions>);
  module.def("texts", &texts_of);
  module.def("attach_labels", &label_items);
  module.def("program_by_hand", &program_by_hand);
  module.def("parse", &parsed);
  module.def("find_programs", &found);
}

}  // namespace percepts::bindings

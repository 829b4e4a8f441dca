#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "module.hpp"
#include "percepts/depth.hpp"
#include "percepts/flow.hpp"
#include "percepts/plan.hpp"
#include "without_gil.hpp"

namespace percepts::bindings {
namespace {

DType dtype_named(std::string_view name) {
  for (int index = 0; index <= static_cast<int>(DType::float64); ++index) {
    if (name_of(static_cast<DType>(index)) == name) return static_cast<DType>(index);
  }
  throw py::type_error("the core has no elements of dtype " + std::string(name));
}

/// Plans for the maps of a batch, and the arrays that show their statistics.
class Plan {
 public:
  Plan(std::string_view dtype, std::size_t maps, std::vector<py::ssize_t> leading, std::int64_t height,
       std::int64_t width, std::int32_t rows, std::int32_t cols)
      : grid_{rows, cols}, last_(maps) {
    const DType element = dtype_named(dtype);
    for (std::size_t map = 0; map < maps; ++map) plans_.emplace_back(element, Extent{height, width}, grid_);
    std::vector<py::ssize_t> shape = std::move(leading);
    shape.push_back(rows);
    shape.push_back(cols);
    narrow_ = size_of(element) < 4 || element == DType::float32;
    min_ = narrow_ ? py::array(py::array_t<float>(shape)) : py::array(py::array_t<double>(shape));
    max_ = narrow_ ? py::array(py::array_t<float>(shape)) : py::array(py::array_t<double>(shape));
    mean_ = py::array_t<double>(shape);
    count_ = py::array_t<std::int32_t>(shape);
  }

  py::tuple arrays() const { return py::make_tuple(min_, max_, mean_, count_); }

  void run(std::size_t map, const View& view, const py::object& mask, const py::object& sentinels) {
    const Field field = field_of(view, mask, sentinels);
    const GridStats* stats = nullptr;
    {
      const WithoutGil release;
      stats = &plans_.at(map)(field);
    }
    last_[map] = stats;
    const std::size_t first = map * stats->count.size();
    if (narrow_) {
      std::transform(stats->min.begin(), stats->min.end(), data<float>(min_) + first, to_float);
      std::transform(stats->max.begin(), stats->max.end(), data<float>(max_) + first, to_float);
    } else {
      std::copy(stats->min.begin(), stats->min.end(), data<double>(min_) + first);
      std::copy(stats->max.begin(), stats->max.end(), data<double>(max_) + first);
    }
    std::copy(stats->mean.begin(), stats->mean.end(), data<double>(mean_) + first);
    std::copy(stats->count.begin(), stats->count.end(), data<std::int32_t>(count_) + first);
  }

  template <class Options, auto make>
  Program program(std::size_t map, const View& view, const py::object& mask, const py::object& sentinels,
                  const Options& options) const {
    const Field field = field_of(view, mask, sentinels);
    const GridStats* stats = last_.at(map);
    if (stats == nullptr) throw py::value_error("a plan has a program when it has been called");
    const WithoutGil release;
    return make(field, options, *stats);
  }

 private:
  static float to_float(double value) { return static_cast<float>(value); }

  template <class T>
  static T* data(py::array& array) {
    return static_cast<T*>(array.mutable_data());
  }

  Grid grid_;
  std::vector<StatsPlan> plans_;
  std::vector<const GridStats*> last_;
  bool narrow_ = false;
  py::array min_;
  py::array max_;
  py::array mean_;
  py::array count_;
};

Program depth_of(const Field& field, const DepthOptions& options, const GridStats& stats) {
  return depth(field, options, stats);
}

Program flow_of(const Field& component, const FlowOptions& options, const GridStats& stats) {
  return flow(component, options, stats);
}

}  // namespace

void bind_plans(py::module_& module) {
  py::class_<Plan>(module, "Plan")
      .def(py::init<std::string_view, std::size_t, std::vector<py::ssize_t>, std::int64_t, std::int64_t,
                    std::int32_t, std::int32_t>())
      .def("arrays", &Plan::arrays)
      .def("run", &Plan::run)
      .def("depth", &Plan::program<DepthOptions, depth_of>)
      .def("flow", &Plan::program<FlowOptions, flow_of>);
}

}  // namespace percepts::bindings

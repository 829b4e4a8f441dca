#include "kernels/cell_means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/valid_pixels.hpp"

namespace percepts::kernels {
namespace {

/// Calls `visit` with each valid value of a cell, row by row, as float64.
template <class Visitor>
void for_each_value(const Field& field, const CellRect& cell, Visitor visit) {
  visit_element(field.dtype, [&]<class Element>(Element) {
    const auto sentinels = sentinels_of<Element>(field);
    for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
      for_each_valid<Element>(run_of(field, y, cell.x0, cell.x1), sentinels,
                              [&](auto value) { visit(static_cast<double>(value)); });
    }
  });
}

/// Sum of `term(value)` over the values of a cell, divided by their number.
template <class Term>
double mean_of(const Field& field, const CellRect& cell, Term term) {
  double sum = 0;
  std::int64_t count = 0;
  for_each_value(field, cell, [&](double value) {
    sum += term(value);
    ++count;
  });
  return sum / static_cast<double>(count);
}

/// The mean where the plain sum overflows.
double mean_without_overflow(const Field& field, const CellRect& cell) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for_each_value(field, cell, [&](double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  });
  // Exact scaling by a power of two leaves room for 2^64 summands of any size.
  const double mean = mean_of(field, cell, [](double value) { return value * 0x1p-64; }) * 0x1p64;
  return std::clamp(mean, low, high);
}

double limited(double value, double low, double high) { return std::min(std::max(value, low), high); }

/// Sums side by side, which wait less for one another than one sum would.
class Lanes {
 public:
  void add(double value, double low, double high) {
    sums_[0] += limited(value, low, high);
    ++count_;
  }

  /// Adds dense pixels, eight at a time, and returns how many. Without a branch, so that compilers make
  /// vectors of it.
  template <class Element>
  std::int64_t add_dense(const Run& run, double low, double high) {
    std::int64_t x = 0;
    for (; x + width <= run.size; x += width) {
      for (std::int64_t k = 0; k < width; ++k) {
        const auto value = Element::load(run.data + (x + k) * static_cast<std::int64_t>(Element::size));
        const bool counts = is_data(value);
        sums_[static_cast<std::size_t>(k)] += counts ? limited(static_cast<double>(value), low, high) : 0;
        count_ += counts ? 1 : 0;
      }
    }
    return x;
  }

  double mean() const {
    double sum = 0;
    for (const double lane : sums_) sum += lane;
    return sum / static_cast<double>(count_);
  }

 private:
  static constexpr std::int64_t width = 8;
  std::array<double, width> sums_{};
  std::int64_t count_ = 0;
};

/// What is left of a run behind its first pixels.
Run behind(Run run, std::int64_t pixels) {
  run.data += pixels * run.stride;
  if (run.mask != nullptr) run.mask += pixels * run.mask_stride;
  run.size -= pixels;
  return run;
}

}  // namespace

double defined_mean(const Field& field, const CellRect& cell) {
  const double mean = mean_of(field, cell, [](double value) { return value; });
  return std::isfinite(mean) ? mean : mean_without_overflow(field, cell);
}

double defined_mean_of_readings(const Field& field, const CellRect& cell, const ReadingMap& map) {
  return mean_of(field, cell, [&](double value) { return reading(map, value); });
}

double limited_mean(const Field& field, const CellRect& cell, double low, double high) {
  return visit_element(field.dtype, [&]<class Element>(Element) {
    const auto sentinels = sentinels_of<Element>(field);
    Lanes lanes;
    for (std::int64_t y = cell.y0; y < cell.y1; ++y) {
      const Run run = run_of(field, y, cell.x0, cell.x1);
      std::int64_t done = 0;
      if (run.mask == nullptr && sentinels.empty() &&
          run.stride == static_cast<std::ptrdiff_t>(Element::size)) {
        done = lanes.add_dense<Element>(run, low, high);
      }
      for_each_valid<Element>(behind(run, done), sentinels,
                              [&](auto value) { lanes.add(static_cast<double>(value), low, high); });
    }
    return lanes.mean();
  });
}

}  // namespace percepts::kernels

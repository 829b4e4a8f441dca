#include <cmath>

#include "percepts/depth.hpp"
#include "percepts/error.hpp"
#include "percepts/kernels.hpp"
#include "src/message.hpp"

namespace percepts {
namespace {

void check_relative(const DepthOptions& options) {
  if (options.scale != 1) {
    throw InvalidArgument(message("scale needs kind='disparity' or kind='metric', got scale=", options.scale,
                                  " with kind='relative'"));
  }
  if (options.range) {
    throw InvalidArgument("depth_range needs kind='disparity' or kind='metric', got it with kind='relative'");
  }
}

void check_range(const DepthRange& range, DepthKind kind) {
  const auto& [near, far] = range;
  const bool ordered = kind == DepthKind::metric ? near < far : near > far;
  if (std::isfinite(near) && std::isfinite(far) && ordered) return;
  throw InvalidArgument(
      message("depth_range must be finite (near, far) with near ",
              kind == DepthKind::metric ? "< far for kind='metric'" : "> far for kind='disparity'", ", got (",
              near, ", ", far, ")"));
}

}  // namespace

DepthKind depth_kind(std::string_view name) {
  if (name == "relative") return DepthKind::relative;
  if (name == "disparity") return DepthKind::disparity;
  if (name == "metric") return DepthKind::metric;
  throw InvalidArgument(message("kind must be 'relative', 'disparity' or 'metric', got '", name, "'"));
}

void check_tau(double tau) {
  if (std::isfinite(tau) && tau >= 0) return;
  throw InvalidArgument(message("tau must be finite and at least 0, got ", tau));
}

void check(const DepthOptions& options) {
  check_tau(options.tau);
  if (!std::isfinite(options.scale) || options.scale <= 0) {
    throw InvalidArgument(message("scale must be finite and above 0, got ", options.scale));
  }
  if (options.max_relations && *options.max_relations < 0) {
    throw InvalidArgument(message("max_relations must be at least 0, got ", *options.max_relations));
  }
  if (options.kind == DepthKind::relative) check_relative(options);
  if (options.range) check_range(*options.range, options.kind);
  if (!options.normalize && options.kind != DepthKind::metric) {
    throw InvalidArgument(message("normalize=False needs kind='metric', got kind='",
                                  options.kind == DepthKind::relative ? "relative" : "disparity", "'"));
  }
  if (!options.normalize && options.range) {
    throw InvalidArgument("depth_range needs normalize=True, got it with normalize=False");
  }
}

}  // namespace percepts

#include "kernels/columns/dispatch.hpp"

#include <cstdlib>
#include <vector>

#include "kernels/columns/instruction_sets.hpp"
#include "percepts/error.hpp"
#include "percepts/instruction_sets.hpp"
#include "src/message.hpp"

namespace percepts {
namespace kernels {
namespace {

/// What this machine can run, the best last.
std::vector<const ColumnKernels*> runnable() {
#if defined(__aarch64__)
  return {&neon_columns};
#else
  std::vector<const ColumnKernels*> found{&baseline_columns};
#if defined(__x86_64__)
  __builtin_cpu_init();
  // The levels x86-64-v3 and v4, which the two are compiled for.
  const bool v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                  __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                  __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                  __builtin_cpu_supports("avx512vl") != 0;
  if (v3) found.push_back(&avx2_columns);
  if (v4) found.push_back(&avx512_columns);
#endif
  return found;
#endif
}

const ColumnKernels& chosen() {
  const auto kernels = runnable();
  const char* name = std::getenv("PERCEPTS_ISA");
  if (name == nullptr || *name == '\0') return *kernels.back();
  std::string names;
  for (const ColumnKernels* candidate : kernels) {
    if (std::string_view(candidate->name) == name) return *candidate;
    names.append(names.empty() ? "" : ", ").append(candidate->name);
  }
  throw InvalidArgument(message("PERCEPTS_ISA must be one of ", names, " on this machine, got ", name));
}

}  // namespace

const ColumnKernels& column_kernels() {
  static const ColumnKernels& kernels = chosen();
  return kernels;
}

}  // namespace kernels

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const auto* kernels : kernels::runnable()) names.emplace_back(kernels->name);
  return names;
}

std::string instruction_set() { return kernels::column_kernels().name; }

}  // namespace percepts

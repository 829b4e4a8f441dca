#include "percepts/batch.hpp"

#include "percepts/error.hpp"
#include "src/message.hpp"
#include "src/parallel.hpp"

namespace percepts {
namespace {

/// Results of `make(index)`, in order.
template <class Result, class Make>
std::vector<Result> made(std::size_t count, const Workers& workers, Make make) {
  std::vector<Result> results(count);
  for_each_index(
      count, workers.threads,
      [&](std::size_t index) {
        try {
          results[index] = make(index);
        } catch (const InvalidArgument& error) {
          throw InvalidArgument(message("map ", index, " of the batch: ", error.what()));
        }
      },
      workers.poll);
  return results;
}

}  // namespace

std::vector<Program> depth(std::span<const Field> fields, const DepthOptions& options,
                           const Workers& workers) {
  check(options);
  return made<Program>(fields.size(), workers,
                       [&](std::size_t index) { return depth(fields[index], options); });
}

std::vector<Program> flow(std::span<const Field> components, const FlowOptions& options,
                          const Workers& workers) {
  return made<Program>(components.size(), workers,
                       [&](std::size_t index) { return flow(components[index], options); });
}

std::vector<Program> segmentation(std::span<const Field> labels, const SegmentationOptions& options,
                                  const Workers& workers) {
  return made<Program>(labels.size(), workers,
                       [&](std::size_t index) { return segmentation(labels[index], options); });
}

std::vector<Program> albedo(std::span<const Field> fields, const AlbedoOptions& options,
                            const Workers& workers) {
  check(options);
  return made<Program>(fields.size(), workers,
                       [&](std::size_t index) { return albedo(fields[index], options); });
}

std::vector<std::string> to_texts(std::span<const Program* const> programs, Style style,
                                  const Workers& workers) {
  return made<std::string>(programs.size(), workers,
                           [&](std::size_t index) { return to_text(*programs[index], style); });
}

}  // namespace percepts

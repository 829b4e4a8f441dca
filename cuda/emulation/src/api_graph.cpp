#include <algorithm>

#include "runtime.hpp"

using namespace percepts::cuda::emulation;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return call("cudaGraphInstantiate", CallKind::plain, [&](Runtime& runtime) {
    if (!runtime.graphs.contains(graph)) return cudaErrorInvalidValue;
    *executable = new CUgraphExec_st{.nodes = std::make_shared<const std::vector<GraphNode>>(graph->nodes),
                                     .last_launch = nullptr};
    runtime.executables.insert(*executable);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t handle) {
  return call("cudaGraphLaunch", CallKind::plain, [&](Runtime& runtime) {
    const cudaStream_t stream = runtime.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (!runtime.executables.contains(executable)) return cudaErrorInvalidValue;
    if (stream->capture != nullptr) {  // CUDA would nest the graphs; nothing here needs that
      stream->capture->invalidate();
      return cudaErrorStreamCaptureUnsupported;
    }
    if (const cudaError_t error = runtime.check_capture(*stream); error != cudaSuccess) return error;
    const auto& nodes = executable->nodes;
    runtime.counters.launches += static_cast<std::uint64_t>(
        std::count_if(nodes->begin(), nodes->end(), [](const GraphNode& node) { return node.is_kernel; }));
    executable->last_launch = runtime.enqueue(
        *stream,
        [nodes] {
          for (const GraphNode& node : *nodes) {
            if (const cudaError_t error = node.work(); error != cudaSuccess) return error;
          }
          return cudaSuccess;
        },
        executable->last_launch);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call("cudaGraphDestroy", CallKind::plain, [&](Runtime& runtime) {
    if (runtime.graphs.erase(graph) == 0) return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call("cudaGraphExecDestroy", CallKind::plain, [&](Runtime& runtime) {
    if (runtime.executables.erase(executable) == 0) return cudaErrorInvalidValue;
    delete executable;
    return cudaSuccess;
  });
}

#include "keeping.hpp"

#include <utility>

#include "../without_gil.hpp"

namespace percepts::bindings::devices {
namespace {

/// Works under way that one call looks at. They end about in the order of their beginning: behind so many,
/// calls would take longer and longer for nothing.
constexpr std::size_t most_asked = 16;

/// Never destroyed: when the process ends, Python and CUDA may be gone before it.
std::vector<std::shared_ptr<Work>>& kept() {
  static auto& works = *new std::vector<std::shared_ptr<Work>>;
  return works;
}

class Reading final : public Work {
 public:
  Reading(int device, Stream stream, std::vector<py::object> owners)
      : end_(device), owners_(std::move(owners)) {
    end_.record(stream);
  }

  bool is_done() override { return end_.is_done(); }
  void wait() override { end_.wait(); }

 private:
  Event end_;
  std::vector<py::object> owners_;
};

/// After a fault nobody knows whether the work is over, and what it reads stays. The fault is told where the
/// results are read.
bool is_over(Work& work) {
  try {
    return work.is_done();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

void keep(std::shared_ptr<Work> work) { kept().push_back(std::move(work)); }

void keep(int device, Stream stream, std::vector<py::object> owners) {
  if (is_capturing(device, stream)) return;
  keep(std::make_shared<Reading>(device, stream, std::move(owners)));
}

void let_go() {
  // Dropping an object runs Python, which may come back here: works leave the list before they are dropped.
  std::vector<std::shared_ptr<Work>> over;
  std::vector<std::shared_ptr<Work>>& works = kept();
  std::size_t under_way = 0;
  std::erase_if(works, [&](std::shared_ptr<Work>& work) {
    if (under_way == most_asked) return false;
    if (!is_over(*work)) {
      ++under_way;
      return false;
    }
    over.push_back(std::move(work));
    return true;
  });
}

void finish() {
  const std::vector<std::shared_ptr<Work>> works = std::exchange(kept(), {});
  const WithoutGil release;  // held again when the works are dropped
  for (const std::shared_ptr<Work>& work : works) {
    try {
      work->wait();
    } catch (const std::exception&) {  // a fault ends the work, too
    }
  }
}

}  // namespace percepts::bindings::devices

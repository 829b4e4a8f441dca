#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace percepts {

/// Calls `work(index)` for each index below `count`, in threads that end before this returns: no pool is left
/// behind that a fork could find without its threads. The calling thread works too and calls `poll` now and
/// then; what `poll` throws ends the work. Of several indices whose work throws, the lowest one's exception
/// is thrown.
template <class Work>
void for_each_index(std::size_t count, std::size_t threads, Work work, const std::function<void()>& poll) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> end{count};
  std::mutex mutex;
  std::exception_ptr failure;

  const auto fail = [&](std::size_t index) {
    const std::lock_guard lock(mutex);
    if (index >= end) return;
    end = index;  // what lies before may still fail
    failure = std::current_exception();
  };
  const auto run = [&](auto after_each) {
    for (std::size_t index = next++; index < end; index = next++) {
      try {
        work(index);
      } catch (...) {
        fail(index);
      }
      after_each();
    }
  };

  std::vector<std::jthread> helpers;
  for (std::size_t k = 1; k < threads && k < count; ++k) helpers.emplace_back([&] { run([] {}); });
  std::exception_ptr interruption;
  run([&] {
    if (interruption) return;
    try {
      if (poll) poll();
    } catch (...) {
      interruption = std::current_exception();
      end = 0;
    }
  });
  helpers.clear();  // waits
  if (interruption) std::rethrow_exception(interruption);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace percepts

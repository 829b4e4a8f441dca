#include "block.hpp"

#include <algorithm>

#include "fault.hpp"

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

namespace percepts::cuda::emulation {
namespace {

constinit thread_local Thread* current = nullptr;

Thread& thread_of_kernel(const char* what) {
  if (current == nullptr) fault(std::string(what) + " was called outside a kernel");
  return *current;
}

std::string place(const std::source_location& where) {
  return std::string(where.file_name()) + ':' + std::to_string(where.line());
}

bool same_place(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() && std::string_view(a.file_name()) == b.file_name();
}

const char* name(WarpAction action) {
  switch (action) {
    case WarpAction::synchronize:
      return "__syncwarp";
    case WarpAction::ballot:
      return "a vote";
    default:
      return "a shuffle";
  }
}

bool same_part(const WarpPart& a, const WarpPart& b) { return a.action == b.action && a.mask == b.mask; }

}  // namespace

unsigned fence_word = 0;

Thread* current_thread() { return current; }

void wait_for_block(const std::source_location& where) {
  Thread& thread = thread_of_kernel("__syncthreads");
  thread.block->wait_for_all(thread, where);
}

std::uint64_t act_with_warp(WarpAction action, unsigned mask, std::uint64_t value, int operand, int width,
                            const std::source_location& where) {
  Thread& thread = thread_of_kernel(name(action));
  return thread.block->act_with_warp(
      thread, {.action = action, .mask = mask, .value = value, .operand = operand, .width = width}, where);
}

void* dynamic_shared_memory() { return thread_of_kernel("dynamic_shared").block->shared_memory(); }

void Block::begin(const KernelCall& call, unsigned index) {
  call_ = &call;
  index_ = index;
  size_ = call.block;
  finished_ = 0;
  at_barrier_ = 0;
  for (unsigned i = 0; i < size_; ++i) {
    threads_[i].block = this;
    threads_[i].index = i;
    threads_[i].state = ThreadState::ready;
  }
  for (unsigned i = 0; i < warps(); ++i) warps_[i].waiting = warps_[i].finished = 0;
  order_after_end();
  show_no_thread();  // allocates thread-local memory, if that is not done: before the threads, too
  shared_.prepare(call.shared);
  order_before_begin();
}

void Block::end() {
  if (!shared_.is_intact()) {
    fault("block " + std::to_string(index_) + " of " + call_->name +
          " wrote outside its dynamic shared memory of " + std::to_string(call_->shared) + " bytes");
  }
}

void Block::show_thread(Thread& thread) const {
  current = &thread;
  threadIdx = {thread.index, 0, 0};
  blockIdx = {index_, 0, 0};
  blockDim = dim3(size_);
  gridDim = dim3(call_->grid);
}

void Block::show_no_thread() { current = nullptr; }

void Block::run_thread(Thread& thread) {
  // Two addresses, for a thread that has ended must not order one of its block that has not begun.
  acquire_order(&begin_order_);
  call_->thread();
  release_order(&end_order_);
  const auto guard = lock();
  thread.state = ThreadState::finished;
  warps_[thread.warp()].finished |= 1U << thread.lane();
  ++finished_;
}

void Block::wait_for_all(Thread& thread, const std::source_location& where) {
  char& phase = barrier_order_[barrier_phase_ ? 1 : 0];
  {
    const auto guard = lock();
    release_order(&phase);
    thread.where = where;
    if (at_barrier_ == 0) {
      first_at_barrier_ = thread.index;
    } else if (const Thread& other = threads_[first_at_barrier_]; !same_place(other.where, where)) {
      fault_in(thread, "waits at another __syncthreads than thread " + std::to_string(other.index) +
                           ", which waits at that of " + place(other.where));
    }
    thread.state = ThreadState::at_barrier;
    if (++at_barrier_ == size_) {
      at_barrier_ = 0;
      barrier_phase_ = !barrier_phase_;
      for (unsigned i = 0; i < size_; ++i) threads_[i].state = ThreadState::ready;
      wake();
    } else {
      pause(thread);
    }
  }
  acquire_order(&phase);
}

unsigned Block::lanes(unsigned warp) const {
  const unsigned count = std::min(32U, size_ - 32 * warp);
  return count == 32 ? ~0U : (1U << count) - 1;
}

std::uint64_t Block::act_with_warp(Thread& thread, const WarpPart& part, const std::source_location& where) {
  Warp& warp = warps_[thread.warp()];
  const unsigned own = 1U << thread.lane();
  char* phase = nullptr;
  {
    const auto guard = lock();
    thread.where = where;
    thread.part = part;
    check_part(thread);
    if (orders_whole_warp(part, thread.warp())) phase = &warp.order[warp.phase ? 1 : 0];
    if (part.action == WarpAction::synchronize) release_order(phase != nullptr ? phase : &thread.order);
    thread.state = ThreadState::in_warp;
    warp.waiting |= own;
    if ((warp.waiting & part.mask) == part.mask) complete_warp(thread.warp(), part);
    if (thread.state != ThreadState::ready) pause(thread);
  }
  if (part.action == WarpAction::synchronize) {  // shuffles and votes do not order memory
    if (phase != nullptr) {
      acquire_order(phase);
    } else {
      acquire_order_of_lanes(thread.warp(), part.mask);
    }
  }
  return thread.result;
}

void Block::check_part(const Thread& thread) const {
  const WarpPart& part = thread.part;
  if ((part.mask >> thread.lane() & 1U) == 0) fault_in(thread, "is not in the mask of its warp operation");
  if ((part.mask & ~lanes(thread.warp())) != 0) {
    fault_in(thread, "names lanes in the mask of its warp operation that the block does not have");
  }
  if ((part.mask & warps_[thread.warp()].finished) != 0) {
    fault_in(thread, "names lanes in the mask of its warp operation that have left the kernel");
  }
  if (part.width < 1 || part.width > 32 || (part.width & (part.width - 1)) != 0) {
    fault_in(thread, "shuffles with a width that is not a power of two up to 32");
  }
}

// What all lanes do together needs one address to order them; groups of lanes come and go, and need one a
// lane.
bool Block::orders_whole_warp(const WarpPart& part, unsigned warp) const {
  return part.action == WarpAction::synchronize && part.mask == lanes(warp);
}

void Block::acquire_order_of_lanes(unsigned warp, unsigned mask) {
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    acquire_order(&threads_[32 * warp + static_cast<unsigned>(std::countr_zero(rest))].order);
  }
}

// Does nothing where a lane of the mask waits for something else, which may yet end.
void Block::complete_warp(unsigned warp, const WarpPart& part) {
  Thread* const lanes_of_warp = threads_ + std::size_t{32} * warp;
  for (unsigned rest = part.mask; rest != 0; rest &= rest - 1) {
    if (!same_part(lanes_of_warp[std::countr_zero(rest)].part, part)) return;
  }
  for (unsigned rest = part.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    Thread& thread = lanes_of_warp[lane];
    thread.result = warp_result(lanes_of_warp, lane, thread.part);
  }
  for (unsigned rest = part.mask; rest != 0; rest &= rest - 1) {
    lanes_of_warp[std::countr_zero(rest)].state = ThreadState::ready;
  }
  warps_[warp].waiting &= ~part.mask;
  if (orders_whole_warp(part, warp)) warps_[warp].phase = !warps_[warp].phase;
  wake();
}

std::uint64_t Block::warp_result(const Thread* lanes_of_warp, unsigned lane, const WarpPart& part) const {
  if (part.action == WarpAction::synchronize) return 0;
  if (part.action == WarpAction::ballot) {
    std::uint64_t votes = 0;
    for (unsigned rest = part.mask; rest != 0; rest &= rest - 1) {
      const int voter = std::countr_zero(rest);
      votes |= lanes_of_warp[voter].part.value << voter;
    }
    return votes;
  }
  const int own = static_cast<int>(lane);
  const int first = own & ~(part.width - 1);
  const int last = first + part.width - 1;
  int source = own;
  switch (part.action) {
    case WarpAction::index:
      source = first | (part.operand & (part.width - 1));
      break;
    case WarpAction::up:
      if (part.operand >= 0 && own - part.operand >= first) source = own - part.operand;
      break;
    case WarpAction::down:
      if (part.operand >= 0 && part.operand < 32 && own + part.operand <= last) source = own + part.operand;
      break;
    default:
      if ((own ^ part.operand) <= last && (own ^ part.operand) >= 0) source = own ^ part.operand;
      break;
  }
  if ((part.mask >> source & 1U) == 0) return 0xA5A5A5A5A5A5A5A5;  // undefined: a lane that takes no part
  return lanes_of_warp[source].part.value;
}

std::string Block::describe(const Thread& thread) const {
  const std::string who = "thread " + std::to_string(thread.index);
  switch (thread.state) {
    case ThreadState::at_barrier:
      return who + " waits at the __syncthreads of " + place(thread.where);
    case ThreadState::in_warp:
      return who + " waits for its warp in " + name(thread.part.action) + " of " + place(thread.where);
    case ThreadState::finished:
      return who + " has left the kernel";
    default:
      return who + " runs";
  }
}

void Block::fault_in(const Thread& thread, const std::string& what) const {
  fault("thread " + std::to_string(thread.index) + " of block " + std::to_string(index_) + " of " +
        call_->name + ' ' + what + " (" + place(thread.where) + ')');
}

void Block::report_stuck() const {
  const Thread& first = threads_[0];
  std::string message =
      "block " + std::to_string(index_) + " of " + call_->name + " can not go on: " + describe(first);
  const auto* const end = threads_ + size_;
  const auto* const other = std::find_if(threads_, end, [&first](const Thread& thread) {
    return thread.state != first.state ||
           (thread.state == ThreadState::in_warp && !same_part(thread.part, first.part));
  });
  if (other != end) message += ", " + describe(*other);
  fault(message);
}

}  // namespace percepts::cuda::emulation

#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "../dlpack_abi.hpp"
#include "../view.hpp"
#include "owned_stream.hpp"
#include "runtime.hpp"

namespace percepts::bindings::devices {

/// A stream that there is work on, held if it is one of ours.
struct HeldStream {
  Stream stream;
  std::shared_ptr<OwnedStream> owner;
};

/// Device memory of ours. It goes back when nobody holds it any more, in the order of the streams that were
/// told of it, without waiting.
class Memory {
 public:
  /// In the order of `stream`.
  Memory(int device, std::size_t bytes, Stream stream);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::byte* data() const { return data_; }

  /// Work on this memory may be on this stream, too.
  void add_stream(Stream stream);

 private:
  int device_;
  std::byte* data_ = nullptr;
  std::vector<HeldStream> streams_;
};

/// An array in device memory, for libraries to take over: through DLPack and the CUDA array interface.
struct DeviceArray {
  std::byte* data = nullptr;
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;
  std::vector<std::ptrdiff_t> strides;  ///< bytes
  int device = 0;
  std::optional<Stream> stream;    ///< where the array is ready; nothing has to be waited for without one
  std::shared_ptr<Memory> memory;  ///< null where `owner` has it
  std::shared_ptr<void> owner;
};

/// A dense array in new memory, in the order of `stream`.
DeviceArray new_array(int device, DType dtype, std::vector<std::int64_t> shape, Stream stream);

/// The dtype of this name. Throws TypeError.
DType dtype_named(std::string_view name);

View view_of(const DeviceArray& array, py::object owner);

void bind_device_array(py::module_& module);

}  // namespace percepts::bindings::devices

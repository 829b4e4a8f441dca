#pragma once

#include <cstdint>

/// The memory layout of DLPack 1.x, declared from its specification. A test compares it with the header that
/// torch brings along.
namespace percepts::dlpack {

struct Version {
  std::uint32_t major;
  std::uint32_t minor;
};

/// The version that we speak. A producer of another major version lays out its memory in another way; a minor
/// version adds codes only.
inline constexpr Version version{.major = 1, .minor = 3};

enum class DeviceType : std::int32_t {
  cpu = 1,
  cuda = 2,
  cuda_host = 3,     ///< pinned
  rocm_host = 11,    ///< pinned
  cuda_managed = 13  ///< host and device read it
};

struct Device {
  DeviceType type;
  std::int32_t id;
};

enum class TypeCode : std::uint8_t {
  integer = 0,
  unsigned_integer = 1,
  floating = 2,
  opaque = 3,
  bfloat = 4,
  complex = 5,
  boolean = 6,
  float8_e3m4 = 7,
  float8_e4m3 = 8,
  float8_e4m3b11fnuz = 9,
  float8_e4m3fn = 10,
  float8_e4m3fnuz = 11,
  float8_e5m2 = 12,
  float8_e5m2fnuz = 13,
  float8_e8m0fnu = 14,
  float6_e2m3fn = 15,
  float6_e3m2fn = 16,
  float4_e2m1fn = 17
};

struct DataType {
  TypeCode code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null before 1.2 for C-contiguous memory
  std::uint64_t byte_offset;
};

/// What a capsule "dltensor" holds, from before version 1.
struct ManagedTensor {
  Tensor tensor;
  void* context;
  void (*deleter)(ManagedTensor*);
};

/// What a capsule "dltensor_versioned" holds. All before `flags` is the same in every major version.
struct ManagedTensorVersioned {
  Version version;
  void* context;
  void (*deleter)(ManagedTensorVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};

struct ExchangeApiHeader {
  Version version;
  ExchangeApiHeader* previous;  ///< an older table, or null
};

/// What the capsule "dlpack_exchange_api" at a type holds. Functions return 0, or -1 with a Python error set.
struct ExchangeApi {
  ExchangeApiHeader header;
  void (*allocate)();  // not used here, as the other one without arguments
  int (*managed_tensor_from_object)(void* object, ManagedTensorVersioned** out);
  void (*object_from_managed_tensor)();
  int (*tensor_from_object)(void* object, Tensor* out);  ///< borrows; may be null
  /// The stream that the library is using on a device now.
  int (*current_work_stream)(DeviceType type, std::int32_t id, void** out);
};

}  // namespace percepts::dlpack

// Compiled by test_dlpack.py: our declarations of DLPack have the layout of the header that is included here.
#include <dlpack.h>

#include <cstddef>

#include "dlpack_abi.hpp"

namespace ours = percepts::dlpack;

#define SAME_SIZE(mine, theirs) \
  static_assert(sizeof(ours::mine) == sizeof(theirs) && alignof(ours::mine) == alignof(theirs))
#define SAME_PLACE(mine, member, theirs, their_member)                            \
  static_assert(offsetof(ours::mine, member) == offsetof(theirs, their_member) && \
                sizeof(ours::mine::member) == sizeof(theirs::their_member))
#define SAME_CODE(mine, theirs) static_assert(static_cast<int>(ours::mine) == static_cast<int>(theirs))

SAME_SIZE(Version, DLPackVersion);
SAME_PLACE(Version, major, DLPackVersion, major);
SAME_PLACE(Version, minor, DLPackVersion, minor);

SAME_SIZE(Device, DLDevice);
SAME_PLACE(Device, type, DLDevice, device_type);
SAME_PLACE(Device, id, DLDevice, device_id);

SAME_SIZE(DataType, DLDataType);
SAME_PLACE(DataType, code, DLDataType, code);
SAME_PLACE(DataType, bits, DLDataType, bits);
SAME_PLACE(DataType, lanes, DLDataType, lanes);

SAME_SIZE(Tensor, DLTensor);
SAME_PLACE(Tensor, data, DLTensor, data);
SAME_PLACE(Tensor, device, DLTensor, device);
SAME_PLACE(Tensor, ndim, DLTensor, ndim);
SAME_PLACE(Tensor, dtype, DLTensor, dtype);
SAME_PLACE(Tensor, shape, DLTensor, shape);
SAME_PLACE(Tensor, strides, DLTensor, strides);
SAME_PLACE(Tensor, byte_offset, DLTensor, byte_offset);

SAME_SIZE(ManagedTensor, DLManagedTensor);
SAME_PLACE(ManagedTensor, tensor, DLManagedTensor, dl_tensor);
SAME_PLACE(ManagedTensor, context, DLManagedTensor, manager_ctx);
SAME_PLACE(ManagedTensor, deleter, DLManagedTensor, deleter);

SAME_SIZE(ManagedTensorVersioned, DLManagedTensorVersioned);
SAME_PLACE(ManagedTensorVersioned, version, DLManagedTensorVersioned, version);
SAME_PLACE(ManagedTensorVersioned, context, DLManagedTensorVersioned, manager_ctx);
SAME_PLACE(ManagedTensorVersioned, deleter, DLManagedTensorVersioned, deleter);
SAME_PLACE(ManagedTensorVersioned, flags, DLManagedTensorVersioned, flags);
SAME_PLACE(ManagedTensorVersioned, tensor, DLManagedTensorVersioned, dl_tensor);

SAME_SIZE(ExchangeApiHeader, DLPackExchangeAPIHeader);
SAME_PLACE(ExchangeApiHeader, version, DLPackExchangeAPIHeader, version);
SAME_PLACE(ExchangeApiHeader, previous, DLPackExchangeAPIHeader, prev_api);

SAME_SIZE(ExchangeApi, DLPackExchangeAPI);
SAME_PLACE(ExchangeApi, header, DLPackExchangeAPI, header);
SAME_PLACE(ExchangeApi, allocate, DLPackExchangeAPI, managed_tensor_allocator);
SAME_PLACE(ExchangeApi, managed_tensor_from_object, DLPackExchangeAPI, managed_tensor_from_py_object_no_sync);
SAME_PLACE(ExchangeApi, object_from_managed_tensor, DLPackExchangeAPI, managed_tensor_to_py_object_no_sync);
SAME_PLACE(ExchangeApi, tensor_from_object, DLPackExchangeAPI, dltensor_from_py_object_no_sync);
SAME_PLACE(ExchangeApi, current_work_stream, DLPackExchangeAPI, current_work_stream);

static_assert(ours::version.major == DLPACK_MAJOR_VERSION);
SAME_CODE(DeviceType::cpu, kDLCPU);
SAME_CODE(DeviceType::cuda, kDLCUDA);
SAME_CODE(DeviceType::cuda_host, kDLCUDAHost);
SAME_CODE(DeviceType::rocm_host, kDLROCMHost);
SAME_CODE(DeviceType::cuda_managed, kDLCUDAManaged);
SAME_CODE(TypeCode::integer, kDLInt);
SAME_CODE(TypeCode::unsigned_integer, kDLUInt);
SAME_CODE(TypeCode::floating, kDLFloat);
SAME_CODE(TypeCode::opaque, kDLOpaqueHandle);
SAME_CODE(TypeCode::bfloat, kDLBfloat);
SAME_CODE(TypeCode::complex, kDLComplex);
SAME_CODE(TypeCode::boolean, kDLBool);
SAME_CODE(TypeCode::float8_e3m4, kDLFloat8_e3m4);
SAME_CODE(TypeCode::float8_e4m3, kDLFloat8_e4m3);
SAME_CODE(TypeCode::float8_e4m3b11fnuz, kDLFloat8_e4m3b11fnuz);
SAME_CODE(TypeCode::float8_e4m3fn, kDLFloat8_e4m3fn);
SAME_CODE(TypeCode::float8_e4m3fnuz, kDLFloat8_e4m3fnuz);
SAME_CODE(TypeCode::float8_e5m2, kDLFloat8_e5m2);
SAME_CODE(TypeCode::float8_e5m2fnuz, kDLFloat8_e5m2fnuz);
SAME_CODE(TypeCode::float8_e8m0fnu, kDLFloat8_e8m0fnu);
SAME_CODE(TypeCode::float6_e2m3fn, kDLFloat6_e2m3fn);
SAME_CODE(TypeCode::float6_e3m2fn, kDLFloat6_e3m2fn);
SAME_CODE(TypeCode::float4_e2m1fn, kDLFloat4_e2m1fn);

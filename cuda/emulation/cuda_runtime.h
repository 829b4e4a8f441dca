#pragma once

// The part of CUDA's runtime that percepts uses, for the host: sources for nvcc compile against this header
// as C++. Names, types and error codes are CUDA's own.

#define PERCEPTS_CUDA_EMULATED 1

#include "emulation/device_api.hpp"
#include "emulation/host_api.hpp"
#include "emulation/submit.hpp"
#include "emulation/vector_types.hpp"

#pragma once

#include <cstdint>

#include "kernels/scan_params.hpp"
#include "percepts/cuda.hpp"

// Maps of callers as kernels take them.

namespace percepts::cuda {

/// Throws InvalidArgument for a negative number of maps.
void check_count(std::int64_t maps);

/// Throws InvalidArgument also for so many maps that the bytes of a number for each cell cannot be counted.
void check_count(std::int64_t maps, const Grid& grid);

/// Throws InvalidArgument for a negative number of maps or too many sentinels.
void check_maps(const Maps& maps);

/// The pixels of maps whose elements are read in pieces of up to so many adjacent ones.
Pixels pixels_of(const Maps& maps, std::int64_t columns);

/// Their mask, likewise; no data where there is none.
Pixels mask_of(const Maps& maps, std::int64_t columns);

/// Which pixels are data, besides being finite.
Validity validity_of(const Maps& maps, std::int64_t columns);

/// Whether every finite pixel is data.
bool is_plain(const Validity& validity);

}  // namespace percepts::cuda

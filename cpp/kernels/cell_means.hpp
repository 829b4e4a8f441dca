#pragma once

#include "kernels/cell_rect.hpp"
#include "percepts/field.hpp"
#include "percepts/reading.hpp"

namespace percepts::kernels {

// Means of single cells. The defined ones are sums in float64 of one value after the other, divided by their
// number: slow and exact, for what a faster sum leaves open.

/// Mean of the stored values, as defined. Finite where every value is.
double defined_mean(const Field& field, const CellRect& cell);

/// Mean of the readings, each pixel mapped before it is summed, as defined.
double defined_mean_of_readings(const Field& field, const CellRect& cell, const ReadingMap& map);

/// Mean of the stored values, each first limited to [low, high]; in eight lanes.
double limited_mean(const Field& field, const CellRect& cell, double low, double high);

}  // namespace percepts::kernels

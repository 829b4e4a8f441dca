#pragma once

#include "kernels/strip_pixels.hpp"
#include "percepts/jigsaw.hpp"

namespace percepts::kernels {

/// The similarities of two strips of the same size.
StripSimilarity strip_similarity(const StripPixels& strip0, const StripPixels& strip1);

}  // namespace percepts::kernels

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "percepts/image.hpp"
#include "percepts/note.hpp"
#include "percepts/program.hpp"

namespace percepts {

/// How similar two strips are, each from 0 to 1; 1 for equal ones.
struct StripSimilarity {
  double structure = 0;  ///< structural similarity (SSIM) of the brightness, from [-1, 1]
  double color = 0;  ///< 1 − half the chi-square distance of the HSV histograms (grey: of the intensities)
  double edge = 0;   ///< normalised cross-correlation of the gradient magnitudes, from [-1, 1]
};

/// The three similarities of two strips of the same size and number of channels, pixel by pixel in their
/// order: strips on two sides of a border are passed with the lines that touch it first. The Python
/// reference (python/percepts/reference/strip_similarity.py) defines them; the numbers are the same to the
/// last bit. Throws InvalidArgument when the strips differ in shape or hold no pixel, or a value is not in
/// [0, 1].
StripSimilarity strip_similarity(const Image& strip0, const Image& strip1);

/// A candidate for the missing part of an image.
struct JigsawPiece {
  std::string label;
  Image image;
};

/// How a jigsaw program is made.
struct JigsawOptions {
  std::int64_t strip = 8;  ///< lines of pixels along a border; as many as there are, where there are fewer
  Note note;
};

/// Throws InvalidArgument unless the strip has a line.
void check(const JigsawOptions& options);

/// The program of a jigsaw question (paper, 3.2.4): how well each piece fits along its left and its top
/// border into the lower right part of the image, which is missing. Only the strips are read. Where the image
/// and all pieces are grey, colour means intensity. Throws InvalidArgument when two labels are equal, a piece
/// does not leave room for a border on both sides, two pieces differ in size, or an image in a strip is not
/// as Image requires.
Program jigsaw(const Image& image, std::span<const JigsawPiece> pieces, const JigsawOptions& options = {});

}  // namespace percepts

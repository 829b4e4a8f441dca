#include "percepts/jigsaw.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "kernels/strip_similarity.hpp"
#include "percepts/error.hpp"
#include "percepts/grid.hpp"
#include "src/escape.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"

namespace percepts {
namespace {

using kernels::StripPixels;

constexpr std::array<std::string_view, 2> borders{"left", "top"};

/// The same image with rows and columns exchanged.
Image transposed(Image image) {
  std::swap(image.extent.height, image.extent.width);
  std::swap(image.stride_y, image.stride_x);
  return image;
}

/// Rows [from, from + step, …) of an image, `count` of them, and columns [begin, end).
Image rows_of(Image image, std::int64_t from, std::int64_t step, std::int64_t count, std::int64_t begin) {
  image.data += from * image.stride_y + begin * image.stride_x;
  image.stride_y *= step;
  image.extent = {count, image.extent.width - begin};
  return image;
}

/// Where the piece lies in the image, and how many lines each border's strips have.
struct Layout {
  Extent piece;
  std::array<std::int64_t, 2> lines{};  ///< left, top
};

Layout layout_of(const Extent& image, const Extent& piece, std::int64_t strip) {
  return {.piece = piece,
          .lines = {std::min({strip, piece.width, image.width - piece.width}),
                    std::min({strip, piece.height, image.height - piece.height})}};
}

using Strips = std::array<StripPixels, 2>;

/// The strips of the image beyond the left and the top border, the line nearest to the border first.
Strips image_strips(const Image& image, const Layout& layout, kernels::Bins bins) {
  const auto strip = [&](const Image& upright, std::int64_t hole_y, std::int64_t hole_x, std::int64_t lines) {
    return kernels::read_strip(rows_of(upright, hole_y - 1, -1, lines, hole_x), bins, "image");
  };
  const std::int64_t hole_y = image.extent.height - layout.piece.height;
  const std::int64_t hole_x = image.extent.width - layout.piece.width;
  return {strip(transposed(image), hole_x, hole_y, layout.lines[0]),
          strip(image, hole_y, hole_x, layout.lines[1])};
}

std::string name_of(const JigsawPiece& piece) {
  std::string name = "piece ";
  append_quoted(name, piece.label);
  return name;
}

Strips piece_strips(const JigsawPiece& piece, const Layout& layout, kernels::Bins bins) {
  const std::string name = name_of(piece);
  return {kernels::read_strip(rows_of(transposed(piece.image), 0, 1, layout.lines[0], 0), bins, name),
          kernels::read_strip(rows_of(piece.image, 0, 1, layout.lines[1], 0), bins, name)};
}

std::string size_text(const Extent& extent) {
  return message(extent.width, "x", extent.height, " (width x height)");
}

void check_pieces(const Image& image, std::span<const JigsawPiece> pieces) {
  std::unordered_set<std::string_view> labels;
  for (const JigsawPiece& piece : pieces) {
    const Extent& extent = piece.image.extent;
    if (!labels.insert(piece.label).second) {
      throw InvalidArgument(message("pieces must have different labels, got ", name_of(piece), " twice"));
    }
    if (extent.width < 1 || extent.height < 1 || extent.width >= image.extent.width ||
        extent.height >= image.extent.height) {
      throw InvalidArgument(message(name_of(piece), " must have pixels and be smaller than the image of ",
                                    size_text(image.extent), " on both sides, got ", size_text(extent)));
    }
    const Extent& first = pieces.front().image.extent;
    if (extent.width != first.width || extent.height != first.height) {
      throw InvalidArgument(message("pieces must be of one size, got ", size_text(first), " and ",
                                    size_text(extent), " for ", name_of(piece)));
    }
  }
}

/// Values of all pieces, two borders each.
struct Readings {
  std::vector<double> structure;
  std::vector<double> color;
  std::vector<double> edge;
  std::vector<double> similarity;

  void add(const StripSimilarity& of) {
    structure.push_back(of.structure);
    color.push_back(of.color);
    edge.push_back(of.edge);
    similarity.push_back((of.structure + of.color + of.edge) / 3);
  }
};

Readings readings_of(const Image& image, std::span<const JigsawPiece> pieces, const Layout& layout) {
  const bool is_grey =
      image.channels == 1 &&
      std::all_of(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.image.channels == 1; });
  const kernels::Bins bins = is_grey ? kernels::Bins::intensity : kernels::Bins::hsv;
  const Strips outside = image_strips(image, layout, bins);
  Readings readings;
  for (const JigsawPiece& piece : pieces) {
    const Strips inside = piece_strips(piece, layout, bins);
    for (std::size_t border = 0; border < borders.size(); ++border) {
      readings.add(kernels::strip_similarity(outside[border], inside[border]));
    }
  }
  return readings;
}

/// Items of the pieces without readings: A left, A top, B left, B top, …
void add_items(Program& program, std::span<const JigsawPiece> pieces, const Layout& layout) {
  const auto right = static_cast<std::int32_t>(canonical(layout.lines[0], layout.piece.width));
  const auto bottom = static_cast<std::int32_t>(canonical(layout.lines[1], layout.piece.height));
  column::Words p{.words = {borders.begin(), borders.end()}, .index = {}};
  column::Labels i;
  column::Integers c{.width = 4, .values = {}};
  for (const JigsawPiece& piece : pieces) {
    const auto index = static_cast<std::int32_t>(i.names.size());
    i.names.push_back(piece.label);
    i.index.insert(i.index.end(), {index, index});
    p.index.insert(p.index.end(), {0, 1});
    c.values.insert(c.values.end(), {0, 0, right, 1000, 0, 0, 1000, bottom});
  }
  program.size = pieces.size() * borders.size();
  program.p = std::move(p);
  program.i = std::move(i);
  program.c = std::move(c);
}

void add_readings(Program& program, Readings readings) {
  program.r = column::Reals{.width = 1,
                            .values = {readings.similarity.begin(), readings.similarity.end()},
                            .format = NumberFormat::fixed6};
  const auto pieces = static_cast<std::int64_t>(program.size / borders.size());
  const auto add = [&](const char* name, std::vector<double>& values) {
    program.arrays.push_back({name, {pieces, borders.size()}, std::move(values)});
  };
  add("structure", readings.structure);
  add("color", readings.color);
  add("edge", readings.edge);
  add("similarity", readings.similarity);
}

}  // namespace

void check(const JigsawOptions& options) {
  if (options.strip < 1) throw InvalidArgument(message("strip must be at least 1, got ", options.strip));
}

Program jigsaw(const Image& image, std::span<const JigsawPiece> pieces, const JigsawOptions& options) {
  check(options);
  check_pieces(image, pieces);
  Program program;
  program.modality = "jigsaw";
  program.granularity = "border";
  program.note = note_of(options);
  if (pieces.empty()) return program;
  const Layout layout = layout_of(image.extent, pieces.front().image.extent, options.strip);
  add_items(program, pieces, layout);
  add_readings(program, readings_of(image, pieces, layout));
  return program;
}

}  // namespace percepts

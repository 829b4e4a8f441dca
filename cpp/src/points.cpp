#include "percepts/points.hpp"

#include <algorithm>
#include <tuple>

#include "src/escape.hpp"
#include "src/message.hpp"
#include "src/notes.hpp"
#include "src/placing.hpp"

namespace percepts {
namespace {

struct Row {
  const ImagePoints* image;
  const LabelledPoint* point;
};

/// All points, by image and label in the order of their code points, which is that of their bytes.
std::vector<Row> sorted_rows(std::span<const ImagePoints> images) {
  std::vector<Row> rows;
  for (const ImagePoints& image : images) {
    for (const LabelledPoint& point : image.points) rows.push_back({&image, &point});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.image->image, a.point->label) < std::tie(b.image->image, b.point->label);
  });
  return rows;
}

Program program_of(std::span<const ImagePoints> images, bool several, const PointsOptions& options) {
  for (const ImagePoints& image : images) {
    check_size(image.size, several ? "size of an image" : "size");
  }
  column::Integers locations{.width = 2, .values = {}};
  column::Labels labels;
  column::Labels names;
  std::vector<double> pixels;
  std::int32_t count = 0;
  for (const auto& [image, labelled] : sorted_rows(images)) {
    const Placing placing(image->size, options.outside);
    const auto where = [&, image = image, labelled = labelled] {
      std::string name = "the point ";
      append_quoted(name, labelled->label);
      if (several) append_quoted(name += " of ", image->image);
      return name;
    };
    const Point point = placing.within(labelled->point, where);
    placing.append_location(locations.values, point);
    pixels.insert(pixels.end(), {point.x, point.y});
    labels.names.push_back(labelled->label);
    names.names.push_back(image->image);
    labels.index.push_back(count);
    names.index.push_back(count++);
  }
  Program program;
  program.modality = "point-detection";
  program.granularity = "pixels";
  program.note = note_of(options, several);
  program.size = labels.names.size();
  program.c = std::move(locations);
  program.b = std::move(labels);
  if (several) program.i = std::move(names);
  program.arrays.push_back({.name = "points", .shape = {count, 2}, .values = std::move(pixels)});
  return program;
}

}  // namespace

Program points(const ImagePoints& image, const PointsOptions& options) {
  return program_of({&image, 1}, false, options);
}

Program points(std::span<const ImagePoints> images, const PointsOptions& options) {
  return program_of(images, true, options);
}

}  // namespace percepts

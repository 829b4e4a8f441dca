#include "src/notes.hpp"

namespace percepts {
namespace {

constexpr const char* patches =
    "Each item is one patch of a grid over the image. p: number of the patch, row by row from 1 at the upper "
    "left. c: [x, y], the centre of the patch, from [0, 0] at the upper left corner of the image to [1000, "
    "1000] "
    "at the lower right. ";

const char* label_sentence(bool labelled) {
  return labelled ? " b: the most frequent label in the patch." : "";
}

std::string built_in(const DepthOptions& options) {
  std::string note = patches;
  note +=
      options.normalize
          ? "r: [min, max] of the depth in the patch, from 0 (farthest) to 1 (nearest); unknown without data."
          : "r: [min, max] of the distance in the patch, larger is farther; unknown without data.";
  note += label_sentence(options.labelled);
  if (options.relations) {
    note +=
        " Relations: of two neighbouring patches, the one that is nearer on average is in_front_of the "
        "other.";
  }
  return note;
}

std::string built_in(const FlowOptions& options) {
  const bool horizontal = options.axis == FlowAxis::horizontal;
  std::string note = patches;
  note += "r: direction of the mean ";
  note += horizontal ? "horizontal" : "vertical";
  note +=
      options.motion == FlowMotion::scene ? " motion in the patch, " : " camera motion seen in the patch, ";
  note += horizontal ? "left or right" : "up or down";
  note += "; unknown without data.";
  note += label_sentence(options.labelled);
  return note;
}

std::string built_in(const SegmentationOptions& options) {
  std::string note = patches;
  note +=
      "b: the most frequent label in the patch. r: the share of the patch that has it, from 0 to 1; unknown "
      "without data.";
  if (options.relations) {
    note += " Relations: neighbouring patches of different labels are adjacent_to each other.";
  }
  return note;
}

std::string built_in(const AlbedoOptions& options) {
  std::string note = patches;
  note += "r: the median albedo of the patch, from 0 (black) to 1 (white); unknown without data.";
  note += label_sentence(options.labelled);
  if (options.relations) {
    note +=
        " Relations: of two neighbouring patches, one is darker than the other, or it is about the same as "
        "the other.";
  }
  return note;
}

std::string built_in(const SimilarityOptions&) {
  return "Each item is one cell of a map of similarities, of which every candidate has one. c: the "
         "candidate. p: number of the item, over the candidates one after the other and in each map row by "
         "row from the upper left. r: how similar the candidate is there, larger is more similar; unknown "
         "without data.";
}

/// What the note of a detection program depends on.
struct DetectionNote {
  bool scored;
  bool labelled;
  const Note& note;
};

std::string built_in(const DetectionNote& of) {
  std::string note =
      "Each item is one object that a detector found. p: number of the object. c: [x0, y0, x1, y1], the "
      "upper "
      "left and the lower right corner of the box around it, from [0, 0] at the upper left corner of the "
      "image "
      "to [1000, 1000] at the lower right.";
  if (of.scored) note += " r: confidence of the detector, from 0 to 1.";
  if (of.labelled) note += " b: what the object is.";
  return note;
}

std::string built_in(const JigsawOptions&) {
  return "Each item is one border of a candidate piece for the missing lower right part of the image. p: the "
         "border, left or top, along which the piece meets the image. i: the candidate. c: [x0, y0, x1, y1], "
         "the "
         "strip of the piece along that border, from [0, 0] at the upper left corner of the piece to [1000, "
         "1000] "
         "at the lower right. r: how similar that strip is to the strip of the image on the other side of "
         "the "
         "border, from 0 to 1; higher fits better.";
}

std::string built_in(const CorrespondenceOptions&) {
  return "Each item is one match: the same point of the scene, seen in two images. p: number of the match. "
         "c: "
         "[x, y], where the point is in image 1. r: [x, y], where it is in image 2. Both are from [0, 0] at "
         "the "
         "upper left corner of their image to [1000, 1000] at the lower right.";
}

/// Points of one image or of several.
struct PointsNote {
  Note note;
  bool several;
};

std::string built_in(const PointsNote& points) {
  std::string note = "Each item is one marked point. ";
  if (points.several) note += "i: the image that it is in. ";
  note +=
      "c: [x, y], where it is, from [0, 0] at the upper left corner of the image to [1000, 1000] at the "
      "lower "
      "right. b: its label.";
  return note;
}

std::string built_in(const SemanticOptions&) {
  return "Each item is one candidate point in the second image. p: its name. c: [x, y], where it is, from "
         "[0, "
         "0] at the upper left corner of the image to [1000, 1000] at the lower right. r: similarity of the "
         "features there to those at the reference point in the first image, larger is more alike; unknown "
         "without data.";
}

template <class Options>
std::optional<std::string> chosen(const Options& options) {
  if (std::holds_alternative<BuiltInNote>(options.note)) return built_in(options);
  if (const auto* text = std::get_if<std::string>(&options.note)) return *text;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> note_of(const DepthOptions& options) { return chosen(options); }
std::optional<std::string> note_of(const FlowOptions& options) { return chosen(options); }
std::optional<std::string> note_of(const SegmentationOptions& options) { return chosen(options); }
std::optional<std::string> note_of(const AlbedoOptions& options) { return chosen(options); }
std::optional<std::string> note_of(const SimilarityOptions& options) { return chosen(options); }

std::optional<std::string> note_of(const DetectionOptions& options, bool scored, bool labelled) {
  return chosen(DetectionNote{scored, labelled, options.note});
}
std::optional<std::string> note_of(const JigsawOptions& options) { return chosen(options); }
std::optional<std::string> note_of(const CorrespondenceOptions& options) { return chosen(options); }
std::optional<std::string> note_of(const PointsOptions& options, bool several) {
  return chosen(PointsNote{options.note, several});
}
std::optional<std::string> note_of(const SemanticOptions& options) { return chosen(options); }

std::string note_without_relations(std::string note) {
  // Where a built-in note speaks of relations, it does so at its end.
  const std::size_t relations = note.starts_with(patches) ? note.rfind(" Relations: ") : std::string::npos;
  if (relations != std::string::npos) note.erase(relations);
  return note;
}

}  // namespace percepts

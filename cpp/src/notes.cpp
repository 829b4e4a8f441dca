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
std::optional<std::string> note_of(const SemanticOptions& options) { return chosen(options); }

std::string note_without_relations(std::string note) {
  // Where a built-in note speaks of relations, it does so at its end.
  const std::size_t relations = note.starts_with(patches) ? note.rfind(" Relations: ") : std::string::npos;
  if (relations != std::string::npos) note.erase(relations);
  return note;
}

}  // namespace percepts

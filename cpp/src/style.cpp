#include <string>

#include "percepts/error.hpp"
#include "percepts/program.hpp"
#include "src/message.hpp"
#include "src/to_compact.hpp"

namespace percepts {

Style text_style(std::string_view name) {
  if (name == "paper") return Style::paper;
  if (name == "json") return Style::json;
  if (name == "compact") return Style::compact;
  throw InvalidArgument(message("style must be 'paper', 'json' or 'compact', got '", name, "'"));
}

std::string to_text(const Program& program, Style style) {
  if (style == Style::paper) return to_text(program);
  std::string out = "<perceptionprogram>\n";
  if (style == Style::json) {
    out += to_json(program);
  } else {
    append_compact(out, program);
  }
  out += "\n</perceptionprogram>";
  return out;
}

}  // namespace percepts

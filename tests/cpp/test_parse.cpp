#include <string>
#include <vector>

#include "check.hpp"
#include "percepts/program.hpp"

namespace {

const std::string block =
    "<perceptionprogram>\n"
    "modality: depth\n"
    "granularity: patch\n"
    "grid:\n"
    "  rows: 1\n"
    "  cols: 2\n"
    "note: \"a \\\"note\\\"\"\n"
    "items:\n"
    "  - p: 1\n"
    "    c: [0, 0]\n"
    "    r: [0.25, 1.0e-05]\n"
    "    b: \"\\u003Cchair>\"\n"
    "  - p: 2\n"
    "    c: [500, 0]\n"
    "    r: unknown\n"
    "relations:\n"
    "  - [p=1, in_front_of, p=2]\n"
    "</perceptionprogram>";

void test_round_trip() {
  check::text(to_text(percepts::parse(block)), block);
  check::that(percepts::find_programs("so " + block + " and " + block + " <perceptionprogram>").size() == 2);
}

/// Every truncation and every changed byte is a program or a ParseError; the sanitizers watch.
void test_damage() {
  const auto survives = [](const std::string& text) {
    try {
      static_cast<void>(to_text(percepts::parse(text)));
    } catch (const percepts::ParseError&) {
    } catch (const percepts::InvalidArgument&) {
    }
    static_cast<void>(percepts::find_programs(text));
  };
  for (std::size_t size = 0; size < block.size(); ++size) survives(block.substr(0, size));
  for (std::size_t at = 0; at < block.size(); ++at) {
    for (const char byte : {'\0', '\n', '"', '\\', '[', ']', ':', '-', ' ', '9', '\xFF', '\xE2'}) {
      std::string damaged = block;
      damaged[at] = byte;
      survives(damaged);
    }
  }
}

void test_errors() {
  check::refused([] { percepts::parse(""); }, "line 1");
  check::refused([] { percepts::parse(block + "x"); }, "line");
  std::string twice = block;
  twice.replace(twice.find("p: 2"), 4, "p: 1");
  check::refused([&] { percepts::parse(twice); },
                 "line 13: p must be unique within a program, got 1 more than once");
}

}  // namespace

int main() {
  test_round_trip();
  test_damage();
  test_errors();
}

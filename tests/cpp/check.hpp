#pragma once

#include <cstdlib>
#include <iostream>
#include <source_location>
#include <string>
#include <string_view>

#include "percepts/error.hpp"

// The few assertions that these tests need. They end the program, so that a failure is one line.

namespace check {

[[noreturn]] inline void fail(const std::string& what, const std::source_location& where) {
  std::cerr << where.file_name() << ':' << where.line() << ": " << what << '\n';
  std::exit(1);
}

inline void that(bool holds, const std::source_location where = std::source_location::current()) {
  if (!holds) fail("does not hold", where);
}

inline void text(std::string_view actual, std::string_view expected,
                 const std::source_location where = std::source_location::current()) {
  if (actual != expected) {
    fail("expected\n" + std::string(expected) + "\ngot\n" + std::string(actual), where);
  }
}

/// `call` throws InvalidArgument with a message that holds `part`.
template <class Call>
void refused(Call call, std::string_view part,
             const std::source_location where = std::source_location::current()) {
  try {
    call();
  } catch (const percepts::InvalidArgument& error) {
    if (std::string_view(error.what()).find(part) == std::string_view::npos) {
      fail("expected a message with\n" + std::string(part) + "\ngot\n" + error.what(), where);
    }
    return;
  }
  fail("nothing was thrown", where);
}

}  // namespace check

#pragma once

#include <cstddef>

namespace percepts {

/// Significant digits of a reading.
inline constexpr int reading_precision = 4;

/// Room that write_reading() needs; the longest text is `-1.234e+38`.
inline constexpr std::size_t reading_room = 32;

/// Writes a finite reading, with the same text as append_general() with `reading_precision`, and returns the
/// end of it. What follows that end within the room is overwritten, too.
char* write_reading(char* to, float reading);

}  // namespace percepts

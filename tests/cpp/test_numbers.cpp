#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "check.hpp"
#include "expected_number.hpp"
#include "src/number_text.hpp"
#include "src/reading_text.hpp"

namespace {

std::string reading_text(float reading) {
  std::string text(percepts::reading_room, '?');
  text.resize(static_cast<std::size_t>(percepts::write_reading(text.data(), reading) - text.data()));
  return text;
}

std::string general_text(double value, int precision) {
  std::string text;
  percepts::append_general(text, value, precision);
  return text;
}

std::string integer_text(std::int64_t value) {
  std::string text;
  percepts::append_integer(text, value);
  return text;
}

void test_values_known_by_hand() {
  check::text(reading_text(0.0F), "0");
  check::text(reading_text(-0.0F), "0");
  check::text(reading_text(1.0F), "1");
  check::text(reading_text(-0.5F), "-0.5");
  check::text(reading_text(0.1F), "0.1");
  check::text(reading_text(0.123456F), "0.1235");
  check::text(reading_text(0.00012345F), "0.0001234");
  check::text(reading_text(0.99996F), "1");
  check::text(reading_text(12.3F), "12.3");
  check::text(reading_text(120.0F), "120");
  check::text(reading_text(1000.0F), "1000");
  check::text(reading_text(9999.0F), "9999");
  check::text(reading_text(1e-5F), "1.0e-05");
  check::text(reading_text(-1.25e-7F), "-1.25e-07");
  check::text(reading_text(1.5e-12F), "1.5e-12");
  check::text(reading_text(12345.0F), "1.234e+04");
  check::text(reading_text(1e30F), "1.0e+30");
  check::text(reading_text(std::numeric_limits<float>::max()), "3.403e+38");
  check::text(reading_text(std::numeric_limits<float>::denorm_min()), "1.401e-45");
}

/// Exactly half way between two texts: the even last digit.
void test_ties() {
  check::text(reading_text(0.03125F), "0.03125");
  check::text(reading_text(1000.5F), "1000");
  check::text(reading_text(1001.5F), "1002");
  check::text(reading_text(9998.5F), "9998");
  check::text(reading_text(9999.5F), "1.0e+04");
  check::text(reading_text(100.25F), "100.2");
  check::text(reading_text(100.75F), "100.8");
  check::text(reading_text(10.125F), "10.12");
  check::text(reading_text(10.375F), "10.38");
  check::text(reading_text(0.00048828125F), "0.0004883");
  for (int sixteenths = 1; sixteenths < 16 * 10000; ++sixteenths) {
    const float reading = static_cast<float>(sixteenths) / 16;
    check::text(reading_text(reading), expected_number(static_cast<double>(reading)));
  }
}

/// The reading and its nearest neighbours, of either sign.
void check_around(float reading) {
  const auto bits = std::bit_cast<std::uint32_t>(reading);
  for (std::uint32_t near = bits < 4 ? 0 : bits - 4; near <= bits + 4; ++near) {
    const auto neighbour = std::bit_cast<float>(near);
    check::text(reading_text(neighbour), expected_number(static_cast<double>(neighbour)));
    check::text(reading_text(-neighbour), expected_number(-static_cast<double>(neighbour)));
  }
}

/// Where the number of digits, the form or the way to the text changes.
void test_boundaries() {
  for (int exponent = -45; exponent <= 38; ++exponent) {
    for (const double digits : {1.0, 9.9994, 9.9995, 9.99949999, 9.99950001, 9.9996}) {
      const double value = digits * std::pow(10.0, exponent);
      if (value < 3e38) check_around(static_cast<float>(value));
    }
  }
  for (int exponent = -149; exponent < 128; ++exponent) check_around(std::ldexp(1.0F, exponent));
}

/// append_general() takes the same way only for what is a float32.
void test_precision() {
  check::text(general_text(0.123456, 4), "0.1235");
  check::text(general_text(0.123456, 6), "0.123456");
  check::text(general_text(0.12345000000000001, 4), "0.1235");
  check::text(general_text(0.1234499999999999, 4), "0.1234");
  check::text(general_text(1e300, 4), "1.0e+300");
  check::text(general_text(-1e-300, 6), "-1.0e-300");
}

void test_integers() {
  for (std::int64_t value = -1100; value <= 1100; ++value) {
    check::text(integer_text(value), std::to_string(value));
  }
  for (const std::int64_t value : {std::int64_t{99999}, std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()}) {
    check::text(integer_text(value), std::to_string(value));
  }
}

}  // namespace

int main() {
  test_values_known_by_hand();
  test_ties();
  test_boundaries();
  test_precision();
  test_integers();
}

// Prints the program of a raw float32 map: app FILE HEIGHT WIDTH ROWS COLS

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <percepts/percepts.hpp>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") {
    std::cout << percepts::version << '\n';
    return 0;
  }
  if (argc != 6) return 2;
  const percepts::Extent extent{.height = std::stoll(argv[2]), .width = std::stoll(argv[3])};
  std::vector<float> map(static_cast<std::size_t>(extent.height * extent.width));
  std::ifstream file(argv[1], std::ios::binary);
  file.read(reinterpret_cast<char*>(map.data()), static_cast<std::streamsize>(map.size() * sizeof(float)));
  if (!file) return 3;

  percepts::DepthOptions options;
  options.grid = {.rows = std::stoi(argv[4]), .cols = std::stoi(argv[5])};
  try {
    std::cout << to_text(percepts::depth(percepts::dense_field(map.data(), extent), options));
  } catch (const percepts::InvalidArgument& error) {
    std::cerr << error.what();
    return 1;
  }
}

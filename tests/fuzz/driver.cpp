// A small engine for fuzz targets where the compiler has none: mutation guided by coverage, with those of
// libFuzzer's options that tests/fuzz/run.py uses.
//
// usage: fuzz_NAME [-max_total_time=SECONDS] [-seed=N] [-dict=FILE] [-artifact_prefix=PREFIX] FOLDER
//        fuzz_NAME FILE...                      runs these inputs only

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "mutator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t edges = std::size_t{1} << 16U;
constexpr unsigned slowest_input_s = 10;

struct Coverage {
  bool is_on = false;
  std::uintptr_t previous = 0;
  bool is_new = false;
  bool seen[edges] = {};  // no std::array: its operator[] would be traced, too
};

Coverage coverage;

}  // namespace

// The compiler calls this in every block of the code under test. An edge is a pair of blocks.
extern "C" __attribute__((no_sanitize_coverage, no_sanitize("address", "undefined"))) void
__sanitizer_cov_trace_pc() {
  if (!coverage.is_on) return;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  bool& seen = coverage.seen[(here ^ (coverage.previous << 1U)) % edges];
  coverage.is_new |= !seen;
  seen = true;
  coverage.previous = here;
}

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Options {
  double seconds = 20;
  std::uint64_t seed = 1;
  std::string dictionary;
  std::string artifact_prefix;
  std::vector<fs::path> paths;
};

Options options_of(const std::vector<std::string>& arguments) {
  Options options;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "-max_total_time") {
      options.seconds = std::stod(value);
    } else if (name == "-seed") {
      options.seed = std::stoull(value);
    } else if (name == "-dict") {
      options.dictionary = value;
    } else if (name == "-artifact_prefix") {
      options.artifact_prefix = value;
    } else {
      options.paths.emplace_back(argument);
    }
  }
  return options;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::system_error(errno, std::generic_category(), path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> inputs(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) files.push_back(path);
    if (!fs::is_directory(path)) continue;
    for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());  // a folder's order differs between machines
  std::vector<std::string> result;
  for (const fs::path& file : files) result.push_back(content(file));
  return result;
}

/// The words of a dictionary: one a line, in double quotes, with \xAB, \" and \\ as escapes.
std::vector<std::string> words(const std::string& path) {
  std::vector<std::string> result;
  if (path.empty()) return result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 2 || line.front() != '"' || line.back() != '"') continue;
    std::string word;
    for (std::size_t at = 1; at + 1 < line.size(); ++at) {
      const bool is_escape = line[at] == '\\';
      if (is_escape) ++at;
      const bool is_hex = is_escape && line[at] == 'x';
      word += is_hex ? static_cast<char>(std::stoi(line.substr(at + 1, 2), nullptr, 16)) : line[at];
      if (is_hex) at += 2;
    }
    result.push_back(word);
  }
  return result;
}

/// Runs inputs, and keeps the one that runs in a file, which outlives any death of this process.
class Runner {
 public:
  explicit Runner(const std::string& prefix)
      : path_(prefix + "crash"), file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), path_);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner() {
    ::close(file_);
    fs::remove(path_);
  }

  /// Whether the input reached what none before it had reached.
  bool reaches_more(const std::string& input) {
    const bool is_kept = ::pwrite(file_, input.data(), input.size(), 0) >= 0 &&
                         ::ftruncate(file_, static_cast<off_t>(input.size())) == 0;
    if (!is_kept) throw std::system_error(errno, std::generic_category(), path_);
    ::alarm(slowest_input_s);
    // A copy without slack, so that a read past the end is seen.
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    coverage.previous = 0;
    coverage.is_new = false;
    coverage.is_on = true;
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    coverage.is_on = false;
    ::alarm(0);
    ++runs_;
    return coverage.is_new;
  }

  std::size_t runs() const { return runs_; }

 private:
  std::string path_;
  int file_;
  std::size_t runs_ = 0;
};

void explore(const Options& options, std::vector<std::string> corpus, Runner& runner) {
  const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  fuzz::Mutator mutator(options.seed, words(options.dictionary));
  while (Clock::now() < end) {
    const std::string& first = corpus[mutator.below(corpus.size())];
    const std::string& second = corpus[mutator.below(corpus.size())];
    std::string input = mutator.mutated(first, second);
    if (runner.reaches_more(input)) corpus.push_back(std::move(input));
  }
  const auto reached = std::count(std::begin(coverage.seen), std::end(coverage.seen), true);
  std::cout << runner.runs() << " runs, " << corpus.size() << " inputs kept, " << reached
            << " edges reached\n";
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of({argv + 1, argv + argc});
  std::vector<std::string> corpus = inputs(options.paths);
  Runner runner(options.artifact_prefix);
  for (const std::string& input : corpus) runner.reaches_more(input);
  const bool has_folder = std::any_of(options.paths.begin(), options.paths.end(),
                                      [](const fs::path& path) { return fs::is_directory(path); });
  if (corpus.empty()) corpus.emplace_back();
  if (has_folder) explore(options, std::move(corpus), runner);
}

#include "src/compact_relations.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/compact_scalar.hpp"
#include "src/escape.hpp"
#include "src/parse_value.hpp"

namespace percepts {
namespace {

constexpr std::string_view all_symbols = ">=~";

/// Gathers relations into lines; a line ends where it has no symbol left for another predicate.
class RelationLines {
 public:
  explicit RelationLines(std::string& out) : out_(out) {}

  void operator()(const CellRelations& relations) {
    for (const auto& [a, b, predicate] : relations.pairs) {
      add(std::to_string(a), relations.predicates[predicate], std::to_string(b));
    }
  }

  void operator()(const std::vector<NamedRelation>& relations) {
    for (const auto& [a, predicate, b] : relations) add(compact_scalar(a), predicate, compact_scalar(b));
  }

  void end_line() {
    if (pairs_.empty()) return;
    for (std::size_t k = 0; k < predicates_.size(); ++k) {
      out_.append(k == 0 ? "\n" : ", ").append(1, symbols_[k]).append(" ");
      if (parsing::is_word(predicates_[k])) {
        out_ += predicates_[k];
      } else {
        append_quoted(out_, predicates_[k]);
      }
    }
    out_.append(":").append(pairs_);
    predicates_.clear();
    symbols_.clear();
    pairs_.clear();
  }

 private:
  void add(std::string_view a, std::string_view predicate, std::string_view b) {
    const char symbol = symbol_of(predicate);
    pairs_.append(" ").append(a).append(1, symbol).append(b);
  }

  char symbol_of(std::string_view predicate) {
    const auto known = std::find(predicates_.begin(), predicates_.end(), predicate);
    if (known != predicates_.end()) return symbols_[static_cast<std::size_t>(known - predicates_.begin())];
    if (predicates_.size() == all_symbols.size()) end_line();
    predicates_.push_back(predicate);
    const auto is_free = [&](char symbol) { return symbols_.find(symbol) == std::string::npos; };
    const bool is_equality = predicate == "about the same as" && is_free('=');
    symbols_ += is_equality ? '=' : *std::find_if(all_symbols.begin(), all_symbols.end(), is_free);
    return symbols_.back();
  }

  std::string& out_;
  std::vector<std::string_view> predicates_;  ///< of this line
  std::string symbols_;                       ///< of these predicates
  std::string pairs_;
};

}  // namespace

void append_compact_relations(std::string& out, const Relations& relations) {
  RelationLines lines(out);
  std::visit(lines, relations);
  lines.end_line();
}

}  // namespace percepts

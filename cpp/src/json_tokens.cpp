#include "json_tokens.hpp"

#include "parse_error.hpp"
#include "parse_string.hpp"
#include "parse_value.hpp"

namespace percepts::parsing {

JsonTokens::JsonTokens(const Block& block) {
  lines_.reserve(block.lines.size() + 1);
  const auto is_not_blank = [](const Line& line) { return !line.text().empty(); };
  std::copy_if(block.lines.begin(), block.lines.end(), std::back_inserter(lines_), is_not_blank);
  lines_.push_back(block.end);
  text_ = lines_.front().text();
}

char JsonTokens::peek() {
  while (next_ + 1 < lines_.size()) {
    column_ = std::min(text_.find_first_not_of(" \t", column_), text_.size());
    if (column_ < text_.size()) return text_[column_];
    ++next_;
    text_ = lines_[next_].text();
    column_ = 0;
  }
  return 0;
}

std::size_t JsonTokens::line() {
  peek();
  return lines_[next_].number;
}

std::string JsonTokens::string(std::string_view name, std::string_view requirement) {
  if (peek() != '"') refuse_next(name, requirement);
  const std::size_t end = string_end(text_, column_);
  if (end == std::string_view::npos) refuse_next(name, "must end with a double quote on its line");
  const std::string_view token = text_.substr(column_, end - column_);
  if (token.find('\t') != std::string_view::npos) {
    refuse_last(name, "must have its control characters escaped", token);
  }
  column_ = end;
  return parsing::string({lines_[next_].number, name}, token, json_escapes);
}

Scalar JsonTokens::number(std::string_view name) {
  const std::string_view token = number_token();
  return parsing::number({lines_[next_].number, name}, token);
}

std::int32_t JsonTokens::count(std::string_view name) {
  const std::string_view token = number_token();
  return parsing::count({lines_[next_].number, name}, token);
}

void JsonTokens::must_end() {
  if (peek() != 0) refuse_next("a line", "must be blank after the program");
}

void JsonTokens::refuse_last(std::string_view name, std::string_view requirement,
                             std::string_view got) const {
  refuse({lines_[next_].number, name}, requirement, got);
}

void JsonTokens::refuse_next(std::string_view name, std::string_view requirement) {
  peek();
  refuse_last(name, requirement, text_.substr(column_));
}

bool JsonTokens::take(char character) {
  if (peek() != character) return false;
  ++column_;
  return true;
}

std::string_view JsonTokens::number_token() {
  peek();
  const std::size_t end = std::min(text_.find_first_of("],} \t", column_), text_.size());
  const std::string_view token = text_.substr(column_, end - column_);
  column_ = end;
  return token;
}

std::string JsonTokens::key(std::string_view name, Names keys, Names found) {
  std::string text = string("a key");
  if (std::find(keys.begin(), keys.end(), text) == keys.end()) {
    refuse_last(name, "must have only the keys " + listed(keys), text);
  }
  if (std::find(found.begin(), found.end(), text) != found.end()) {
    refuse_last(name, "must not have a key twice", text);
  }
  if (!take(':')) refuse_next(text, "must have a : behind its key");
  return text;
}

}  // namespace percepts::parsing

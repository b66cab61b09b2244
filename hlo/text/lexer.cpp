#include "hlo/text/lexer.hpp"

#include "hlo/name.hpp"
#include "hlo/shape.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>
#include <charconv>

namespace ganglion::hlo::text {

lexer::lexer(std::string_view text, std::string where)
    : text_(text),
      where_(std::move(where)) {}

void lexer::fail(const std::string &message) { fail_at(place(), message); }

void lexer::fail_at(std::size_t place, const std::string &message) {
  const std::string_view before = text_.substr(0, place);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto start = before.rfind('\n');
  const auto column =
      start == std::string_view::npos ? place + 1 : place - start;
  throw error(error_code::corrupt_data, message,
              where_ + ":" + std::to_string(line) + ":" +
                  std::to_string(column));
}

void lexer::skip_comment() {
  const std::size_t start = at_;
  const bool block = text_[at_ + 1] == '*';
  const auto end = text_.find(block ? "*/" : "\n", at_ + 2);
  if (end != std::string_view::npos)
    at_ = end + (block ? 2 : 1);
  else if (block)
    fail_at(start, "comment does not end");
  else
    at_ = text_.size();
}

void lexer::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
      ++at_;
    else if (c == '/' && (next == '*' || next == '/'))
      skip_comment();
    else
      return;
  }
}

std::size_t lexer::place() {
  skip_space();
  return at_;
}

bool lexer::at_end() { return place() == text_.size(); }

char lexer::peek() { return at_end() ? '\0' : text_[at_]; }

bool lexer::peek(std::string_view text) {
  return text_.substr(place()).starts_with(text);
}

bool lexer::accept(std::string_view text) {
  if (!peek(text))
    return false;
  at_ += text.size();
  return true;
}

void lexer::expect(std::string_view text) {
  if (!accept(text))
    fail("expected '" + std::string(text) + "'");
}

bool lexer::at_name() { return starts_name(peek()); }

std::string_view lexer::name() {
  if (!at_name())
    fail("expected a name");
  const std::size_t start = at_;
  while (at_ < text_.size() && continues_name(text_[at_])) {
    // "a->b" is an arrow between two names.
    if (text_.substr(at_).starts_with("->"))
      break;
    ++at_;
  }
  return text_.substr(start, at_ - start);
}

std::string_view lexer::value_name() {
  accept("%");
  return name();
}

std::int64_t lexer::integer() {
  const std::size_t start = place();
  std::int64_t value = 0;
  const auto read =
      std::from_chars(text_.data() + start, text_.data() + text_.size(), value);
  if (read.ec == std::errc::invalid_argument)
    fail("expected an integer");
  if (read.ec != std::errc() || value > max_elements || value < -max_elements)
    fail("integer out of range");
  at_ = static_cast<std::size_t>(read.ptr - text_.data());
  return value;
}

std::vector<std::int64_t> lexer::integers_until(char end) {
  const std::string_view close(&end, 1);
  std::vector<std::int64_t> out;
  if (accept(close))
    return out;
  do
    out.push_back(integer());
  while (accept(","));
  expect(close);
  return out;
}

bool lexer::boolean() {
  const std::size_t start = place();
  const std::string_view word = name();
  if (word != "true" && word != "false")
    fail_at(start, "expected true or false");
  return word == "true";
}

std::string_view lexer::number() {
  const std::size_t start = place();
  while (at_ < text_.size() &&
         (continues_name(text_[at_]) || text_[at_] == '+'))
    ++at_;
  if (text_.substr(start, at_ - start).ends_with("nan") && at_ < text_.size() &&
      text_[at_] == '(') {
    const auto close = text_.find(')', at_);
    at_ = close == std::string_view::npos ? text_.size() : close + 1;
  }
  if (at_ == start)
    fail("expected a number");
  return text_.substr(start, at_ - start);
}

std::string lexer::quoted() {
  expect("\"");
  const std::size_t start = at_;
  std::string out;
  for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] != '\\') {
      out += text_[at_];
      continue;
    }
    if (++at_ == text_.size())
      break;
    const char c = text_[at_];
    if (c != '"' && c != '\\' && c != '\'' && c != 'n' && c != 't')
      fail_at(at_, "unknown escape in a string");
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  if (at_ == text_.size())
    fail_at(start, "string does not end");
  ++at_;
  return out;
}

void lexer::skip_string() {
  const std::size_t start = at_++;
  while (at_ < text_.size() && text_[at_] != '"')
    at_ += text_[at_] == '\\' ? 2 : 1;
  if (at_ >= text_.size())
    fail_at(start, "string does not end");
}

std::string_view lexer::braced() {
  const std::size_t start = place();
  if (peek() != '{')
    fail("expected '{'");
  std::size_t depth = 0;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '"')
      skip_string();
    else if (c == '{')
      ++depth;
    else if (c == '}' && --depth == 0)
      return text_.substr(start, ++at_ - start);
  }
  fail_at(start, "brace does not close");
}

} // namespace ganglion::hlo::text

#include "runtime/chat/call_reader.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::runtime {

namespace {

/// What a JSON string holds; empty for anything else.
std::string held_by(const std::string &text) {
  try {
    const auto document = json::document::parse(text, {});
    return document.root().is_string() ? document.root().as_string()
                                       : std::string();
  } catch (const error &) {
    return {};
  }
}

} // namespace

bool call_reader::push(char c) {
  const std::size_t at = text_.size();
  text_ += c;
  if (in_string_) {
    if (!escaped_ && c == '"')
      end_string();
    escaped_ = !escaped_ && c == '\\';
    return true;
  }
  switch (c) {
  case ' ':
  case '\n':
  case '\r':
  case '\t':
    return true;
  case '"':
    in_string_ = true;
    string_ = at;
    break;
  case '}':
  case ']':
    if (--depth_ == 0)
      end_value(at);
    else if (depth_ == 1)
      end_value(at + 1);
    return depth_ > 0;
  case ',':
    if (depth_ == 1) {
      end_value(at);
      at_value_ = false;
    }
    return true;
  case ':':
    if (depth_ == 1 && !at_value_) {
      at_value_ = true;
      return true;
    }
    break;
  default:
    break;
  }
  if (depth_ == 1)
    begin_value(at);
  if (c == '{' || c == '[')
    ++depth_;
  return true;
}

void call_reader::end_string() {
  in_string_ = false;
  if (depth_ == 1 && !at_value_)
    key_ = text_.substr(string_ + 1, text_.size() - string_ - 2);
}

void call_reader::begin_value(std::size_t at) {
  if (!at_value_ || value_ != nowhere)
    return;
  value_ = at;
  if (key_ == member_ && begin_ == nowhere)
    begin_ = at;
}

/// The value of a member ends before `at`.
void call_reader::end_value(std::size_t at) {
  if (value_ == nowhere)
    return;
  if (key_ == "name" && !name_)
    name_ = held_by(text_.substr(value_, at - value_));
  if (begin_ == value_)
    end_ = at;
  value_ = nowhere;
  at_value_ = false;
}

std::string call_reader::take_arguments() {
  if (begin_ == nowhere)
    return {};
  if (text_[begin_] == '"') {
    if (end_ == nowhere || taken_ > 0)
      return {};
    taken_ = 1;
    return held_by(text_.substr(begin_, end_ - begin_));
  }
  const std::size_t end = end_ == nowhere ? text_.size() : end_;
  auto out = text_.substr(begin_ + taken_, end - begin_ - taken_);
  taken_ += out.size();
  return out;
}

} // namespace ganglion::runtime

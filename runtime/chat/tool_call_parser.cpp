#include "runtime/chat/tool_call_parser.hpp"

#include <algorithm>
#include <utility>

namespace ganglion::runtime {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Llama's mark of a call, which may be left out.
constexpr std::string_view python_tag = "<|python_tag|>";

} // namespace

parsed_text tool_call_parser::push(std::string_view text) {
  for (const char c : text)
    take(c);
  return std::exchange(out_, {});
}

parsed_text tool_call_parser::finish() {
  if (at_ == place::call && !announced_)
    add_content(call_->text());
  if (at_ == place::content)
    add_content(held_);
  if (calls_ == 0)
    out_.content += std::exchange(spaces_, {});
  held_.clear();
  return std::exchange(out_, {});
}

void tool_call_parser::take(char c) {
  switch (at_) {
  case place::content:
    return take_content(c);
  case place::before_call:
    return take_before(c);
  case place::call:
    return take_call(c);
  case place::after_call:
    return take_after(c);
  }
}

void tool_call_parser::add_content(std::string_view text) {
  for (const char c : text) {
    if (is_space(c)) {
      spaces_ += c;
      continue;
    }
    started_ = true;
    out_.content += std::exchange(spaces_, {}) + c;
  }
}

/// How much of the end of `held_` may be the start of `mark`.
std::size_t tool_call_parser::hold(std::string_view mark) const {
  std::size_t size = std::min(held_.size(), mark.size());
  while (!held_.ends_with(mark.substr(0, size)))
    --size;
  return size;
}

void tool_call_parser::take_content(char c) {
  const bool bare = syntax_ == tool_syntax::bare;
  // Without a mark a call stands at the start.
  if (bare && !started_ && held_.empty() && c == '{')
    return begin_call(c);
  held_ += c;
  const auto mark = bare ? python_tag : mark_of(syntax_);
  const std::size_t kept = bare && started_ ? 0 : hold(mark);
  add_content(std::string_view(held_).substr(0, held_.size() - kept));
  held_.erase(0, held_.size() - kept);
  if (held_ != mark)
    return;
  held_.clear();
  spaces_.clear();
  at_ = place::before_call;
}

void tool_call_parser::begin_call(char c) {
  call_.emplace(arguments_name_of(syntax_));
  announced_ = false;
  at_ = place::call;
  take_call(c);
}

void tool_call_parser::take_before(char c) {
  if (c == '{')
    return begin_call(c);
  if (is_space(c) || (syntax_ == tool_syntax::listed && (c == '[' || c == ',')))
    return;
  at_ = place::content;
  if (c != ']')
    take_content(c);
}

void tool_call_parser::take_call(char c) {
  const bool ended = !call_->push(c);
  look_at_call(ended);
  if (ended)
    at_ =
        syntax_ == tool_syntax::tagged ? place::after_call : place::before_call;
}

/// Tells what is known of the call under way.
void tool_call_parser::look_at_call(bool ended) {
  if (!announced_ && call_->name() &&
      std::ranges::find(names_, *call_->name()) != names_.end()) {
    announced_ = true;
    out_.calls.push_back({calls_++, *call_->name(), {}});
  }
  if (!announced_) {
    if (ended)
      add_content(call_->text());
    return;
  }
  auto more = call_->take_arguments();
  if (ended && !call_->has_arguments())
    more = "{}";
  if (more.empty())
    return;
  if (!out_.calls.empty() && out_.calls.back().index + 1 == calls_)
    out_.calls.back().arguments += more;
  else
    out_.calls.push_back({calls_ - 1, {}, std::move(more)});
}

/// Up to the mark that ends a call.
void tool_call_parser::take_after(char c) {
  held_ += c;
  held_.erase(0, held_.size() - hold(tagged_end));
  if (held_ == tagged_end) {
    held_.clear();
    at_ = place::content;
  }
}

} // namespace ganglion::runtime

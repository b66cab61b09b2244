#include "runtime/generation/stop_matcher.hpp"

#include <algorithm>
#include <utility>

namespace ganglion::runtime {

namespace {

/// Length of the longest end of `text` that begins some stop string.
std::size_t possible_start(std::string_view text,
                           const std::vector<std::string> &stops) {
  std::size_t longest = 0;
  for (const std::string &stop : stops) {
    std::size_t n = std::min(stop.size() - 1, text.size());
    while (n > longest && !stop.starts_with(text.substr(text.size() - n)))
      --n;
    longest = std::max(longest, n);
  }
  return longest;
}

/// Where a stop string begins and ends, or npos.
struct stop_place {
  std::size_t begin, end;
};

/// The stop string that is complete first. Going by the end makes the answer
/// independent of how the text is cut into pieces.
stop_place first_match(std::string_view text,
                       const std::vector<std::string> &stops) {
  std::size_t first = std::string_view::npos, end = std::string_view::npos;
  for (const std::string &stop : stops) {
    const std::size_t at = text.find(stop);
    if (at == std::string_view::npos)
      continue;
    if (at + stop.size() < end || (at + stop.size() == end && at < first)) {
      first = at;
      end = at + stop.size();
    }
  }
  return {first, end};
}

} // namespace

std::string stop_matcher::push(std::string_view text) {
  if (matched_)
    return {};
  if (stops_.empty())
    return std::string(text);
  held_ += text;
  const auto [begin, end] = first_match(held_, stops_);
  matched_ = begin != std::string::npos;
  if (matched_) {
    return std::exchange(held_, {}).substr(0, include_ ? end : begin);
  }
  std::string out =
      held_.substr(0, held_.size() - possible_start(held_, stops_));
  held_.erase(0, out.size());
  return out;
}

std::string stop_matcher::finish() { return std::move(held_); }

} // namespace ganglion::runtime

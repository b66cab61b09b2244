#include "runtime/grammar/code_points.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

namespace {

constexpr char32_t before_surrogates = 0xD7FF, after_surrogates = 0xE000;
constexpr char32_t highest = 0x10FFFF;

} // namespace

void code_points::add(char32_t first, char32_t last) {
  insert(first, std::min(last, before_surrogates));
  insert(std::max(first, after_surrogates), last);
}

void code_points::insert(char32_t first, char32_t last) {
  if (first > last)
    return;
  const auto begin = std::ranges::find_if(
      ranges_, [&](const auto &r) { return r.last + 1 >= first; });
  auto end = begin;
  for (; end != ranges_.end() && end->first <= last + 1; ++end) {
    first = std::min(first, end->first);
    last = std::max(last, end->last);
  }
  ranges_.insert(ranges_.erase(begin, end), {first, last});
}

void code_points::add(const code_points &other) {
  for (const auto &r : other.ranges_)
    insert(r.first, r.last);
}

code_points code_points::complement() const {
  code_points out;
  char32_t from = 0;
  for (const auto &r : ranges_) {
    if (r.first > from)
      out.add(from, r.first - 1);
    from = r.last + 1;
  }
  if (from <= highest)
    out.add(from, highest);
  return out;
}

code_points code_points::minus(const code_points &other) const {
  code_points without = complement();
  without.add(other);
  return without.complement();
}

bool code_points::contains(char32_t c) const {
  return std::ranges::any_of(
      ranges_, [&](const auto &r) { return r.first <= c && c <= r.last; });
}

} // namespace ganglion::runtime::grammar

#include "runtime/grammar/builder.hpp"

#include "hlo/support/error.hpp"
#include "runtime/grammar/utf8_ranges.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

void refuse_size(const char *what, std::size_t most) {
  throw error(error_code::invalid_argument,
              std::string("the grammar is too large: more than ") +
                  std::to_string(most) + " " + what);
}

expr builder::push(expr_node e) {
  if (expressions_.size() >= bounds_.nodes)
    refuse_size("expressions", bounds_.nodes);
  expressions_.push_back(e);
  return static_cast<expr>(expressions_.size() - 1);
}

expr builder::empty() { return push({}); }

expr builder::bytes(const byte_set &set) {
  sets_.push_back(set);
  return push({expr_kind::bytes, static_cast<std::int32_t>(sets_.size() - 1)});
}

expr builder::literal(std::string_view text) {
  std::vector<expr> parts;
  for (const char c : text)
    parts.push_back(bytes(byte_set().set(static_cast<unsigned char>(c))));
  return sequence(parts);
}

expr builder::group(expr_kind kind, std::span<const expr> parts) {
  if (parts.size() == 1)
    return parts[0];
  if (children_.size() + parts.size() > 4 * bounds_.nodes)
    refuse_size("parts", 4 * bounds_.nodes);
  const auto begin = static_cast<std::int32_t>(children_.size());
  children_.insert(children_.end(), parts.begin(), parts.end());
  return push({kind, begin, static_cast<std::int32_t>(children_.size())});
}

expr builder::sequence(std::span<const expr> parts) {
  return parts.empty() ? empty() : group(expr_kind::sequence, parts);
}

expr builder::any_of(std::span<const expr> parts) {
  require(!parts.empty(), "grammar: a choice of nothing");
  return group(expr_kind::any_of, parts);
}

expr builder::repeat(expr part, std::int32_t least, std::int32_t most) {
  if (least == 1 && most == 1)
    return part;
  return push({expr_kind::repeat, least, most, part});
}

expr builder::call(rule r) {
  return push({expr_kind::call, static_cast<std::int32_t>(r)});
}

rule builder::declare(std::string name) {
  rules_.push_back({std::move(name), {}, false});
  return static_cast<rule>(rules_.size() - 1);
}

void builder::define(rule r, expr body) {
  auto &node = rules_[static_cast<std::size_t>(r)];
  node.body = body;
  node.defined = true;
}

rule builder::add(std::string name, expr body) {
  const rule r = declare(std::move(name));
  define(r, body);
  return r;
}

std::span<const expr> builder::children(const expr_node &e) const {
  return std::span(children_).subspan(static_cast<std::size_t>(e.a),
                                      static_cast<std::size_t>(e.b - e.a));
}

// --- texts -----------------------------------------------------------------

expr builder::one_of(std::vector<std::string> texts) {
  require(!texts.empty(), "grammar: a choice of nothing");
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return one_of_sorted(texts, 0);
}

/// The texts without their first `skip` bytes, which are the same in all.
expr builder::one_of_sorted(std::span<const std::string> texts,
                            std::size_t skip) {
  // What all go on with is no choice, and no recursion.
  std::size_t common = skip;
  while (common < texts.front().size() && common < texts.back().size() &&
         texts.front()[common] == texts.back()[common])
    ++common;
  const expr start =
      literal(std::string_view(texts.front()).substr(skip, common - skip));
  if (texts.size() == 1)
    return start;
  std::vector<expr> ways;
  std::size_t first = 0;
  if (texts.front().size() == common) {
    ways.push_back(empty());
    first = 1;
  }
  while (first < texts.size()) {
    std::size_t last = first + 1;
    while (last < texts.size() && texts[last][common] == texts[first][common])
      ++last;
    ways.push_back(one_of_sorted(texts.subspan(first, last - first), common));
    first = last;
  }
  return sequence({start, any_of(ways)});
}

// --- characters ------------------------------------------------------------

expr builder::character(const code_points &set) {
  require(!set.empty(), "grammar: a character of no set");
  if (set.ranges().back().last < 0x80) {
    byte_set ascii;
    for (const auto &r : set.ranges())
      for (char32_t c = r.first; c <= r.last; ++c)
        ascii.set(c);
    return bytes(ascii);
  }
  const auto found = characters_.find(set);
  if (found != characters_.end())
    return call(found->second);
  const rule r = add("a class of characters", utf8(set));
  characters_.emplace(set, r);
  return call(r);
}

expr builder::utf8(const code_points &set) {
  std::vector<expr> ways;
  for (const auto &sequence_of_ranges : utf8_ranges(set)) {
    std::vector<expr> parts;
    for (const auto &[first, last] : sequence_of_ranges) {
      byte_set one;
      for (int b = first; b <= last; ++b)
        one.set(static_cast<std::size_t>(b));
      parts.push_back(bytes(one));
    }
    ways.push_back(sequence(parts));
  }
  return any_of(ways);
}

} // namespace ganglion::runtime::grammar

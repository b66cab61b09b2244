#include "runtime/grammar/text_form.hpp"

#include "runtime/json/writer.hpp"
#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime::grammar {

namespace {

/// What a JSON string must escape.
code_points escaped_in_json() {
  code_points out(0, 0x1F);
  out.add('"', '"');
  out.add('\\', '\\');
  return out;
}

} // namespace

expr character(builder &to, const code_points &set, text_form form) {
  if (form == text_form::plain)
    return to.character(set);
  const code_points must = escaped_in_json();
  std::vector<expr> ways;
  if (const auto plain = set.minus(must); !plain.empty())
    ways.push_back(to.character(plain));
  std::vector<std::string> escapes;
  for (const auto &range : must.ranges())
    for (char32_t c = range.first; c <= range.last; ++c)
      if (set.contains(c)) {
        const std::string quoted = json::quote(to_utf8(c));
        escapes.push_back(quoted.substr(1, quoted.size() - 2));
      }
  if (!escapes.empty())
    ways.push_back(to.one_of(std::move(escapes)));
  return to.any_of(ways);
}

} // namespace ganglion::runtime::grammar

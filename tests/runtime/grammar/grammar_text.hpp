// Reads whole texts with a grammar, for tests that look at its language.
#pragma once

#include "runtime/grammar/compile.hpp"
#include "runtime/grammar/token_grammar.hpp"

#include <random>
#include <string>
#include <string_view>

namespace ganglion::testing {

using runtime::output_form;
using runtime::output_kind;

class language {
public:
  explicit language(const output_form &form,
                    const runtime::grammar::limits &bounds = {})
      : rules_(runtime::grammar::compile(form, bounds)),
        states_(rules_) {}

  bool accepts(std::string_view text) {
    const auto state = after(text);
    return state > runtime::grammar::dead && states_.accepts(state);
  }
  /// Whether some text of the language starts like this.
  bool starts(std::string_view text) {
    return after(text) > runtime::grammar::dead;
  }
  const runtime::grammar::state_table &states() const { return states_; }

private:
  std::int32_t after(std::string_view text) {
    std::int32_t state = states_.start();
    for (const char c : text) {
      if (state <= runtime::grammar::dead)
        break;
      state = states_.next(state, static_cast<std::uint8_t>(c));
    }
    return state;
  }

  runtime::grammar::automaton rules_;
  runtime::grammar::state_table states_;
};

inline output_form regex_of(std::string text) {
  return {output_kind::regex, std::move(text), {}};
}
inline output_form ebnf_of(std::string text) {
  return {output_kind::grammar, std::move(text), {}};
}
inline output_form schema_of(std::string text) {
  return {output_kind::json, std::move(text), {}};
}

/// All 256 bytes, then tokens of several bytes that JSON often has.
inline std::vector<std::string> small_vocabulary() {
  std::vector<std::string> out;
  for (int b = 0; b < 256; ++b)
    out.emplace_back(1, static_cast<char>(b));
  for (const char *token :
       {"\"",    "{\"",  "\":",      "\": ",  "\", \"", "\"}",   "}}",
        "},",    "]}",   "true",     "false", "null",   "name",  "na",
        "ame\"", "12",   "007",      "1.5",   "e1",     "\\n",   "\\u00",
        "é",     "日本", "\xE6\x97", "[[",    "{}",     ": {\"", "\n  ",
        "abc",   "ab",   "bc",       "aa",    "b\\\""})
    out.emplace_back(token);
  return out;
}

/// A text of random allowed tokens, uniform at first, then such that it ends.
/// Empty if it did not within `most` tokens.
inline std::string
random_text(const std::shared_ptr<runtime::grammar::token_grammar> &grammar,
            std::mt19937 &random, std::size_t most = 4000) {
  runtime::grammar::cursor at;
  at.begin(grammar, {}, most);
  std::vector<std::uint64_t> mask(grammar->words());
  std::string text;
  for (std::size_t n = 0; n < most; ++n) {
    bool accepted = false;
    if (at.allowed(mask, accepted) != runtime::grammar::match_status::ok)
      return {};
    std::vector<std::int32_t> allowed, closing;
    for (std::size_t i = 0; i < grammar->tokens().vocabulary(); ++i)
      if (mask[i / 64] >> (i % 64) & 1) {
        allowed.push_back(static_cast<std::int32_t>(i));
        const auto bytes = grammar->tokens().bytes_of(allowed.back());
        if (bytes == "\"" || bytes == "}" || bytes == "]" || bytes == "1" ||
            bytes == "b\\\"")
          closing.push_back(allowed.back());
      }
    if (accepted && (allowed.empty() || n > 60 || random() % 4 == 0))
      return text;
    if (allowed.empty())
      return {};
    const bool close = n > 60 && random() % 4 != 0 && !closing.empty();
    const auto &from = close ? closing : allowed;
    const auto token = from[random() % from.size()];
    text += grammar->tokens().bytes_of(token);
    at.append(token);
  }
  return {};
}

} // namespace ganglion::testing

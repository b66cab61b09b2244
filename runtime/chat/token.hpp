// The pieces of a template's source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime::chat {

enum class token_kind {
  text, ///< outside of all tags
  begin_output,
  end_output,
  begin_block,
  end_block,
  name,
  string, ///< `text` is what the literal means
  integer,
  real,
  symbol,
  end,
};

struct token {
  token_kind kind = token_kind::end;
  std::string text;
  std::size_t line = 1;

  bool is(token_kind k, std::string_view t) const {
    return kind == k && text == t;
  }
};

/// All tokens of `source`, the last one `end`; white space around tags is gone
/// as `-`, `+`, trim_blocks and lstrip_blocks ask. Throws `chat_error`.
std::vector<token> tokenize(std::string_view source);

} // namespace ganglion::runtime::chat

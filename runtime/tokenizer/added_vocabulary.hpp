// Added tokens: strings that are found in a text before the model sees it, of
// which the special ones may be left out when decoding.
#pragma once

#include "runtime/json/reader.hpp"
#include "runtime/tokenizer/byte_trie.hpp"
#include "runtime/tokenizer/normalizer.hpp"
#include "runtime/tokenizer/regex.hpp"
#include "runtime/tokenizer/vocabulary.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

struct added_token {
  std::string content;
  bool single_word = false; ///< only between characters that are not \w
  bool lstrip = false;      ///< takes the white space before it along
  bool rstrip = false;      ///< and after it
  bool normalized = false;  ///< looked for in the normalised text
  bool special = false;
};

/// Reads an element of "added_tokens" (or of "added_tokens_decoder").
added_token read_added_token(const json::value &v);

/// A stretch of text that is an added token (`id`) or none (-1).
struct added_match {
  span_of_text span;
  std::int32_t id = -1;
};

/// Filled with `add` and `prepare`, then only read, by any number of threads.
class added_vocabulary {
public:
  /// Adds `token`, with the id that `model` has for its content or the next
  /// free one. Returns that id. Nothing happens for an empty content.
  std::int32_t add(const added_token &token, const vocabulary &model);
  /// Makes `find` ready; `form` (may be null) is what texts go through.
  void prepare(const normalizer *form);

  /// All of `text` in order. `normalized` says which of the tokens are looked
  /// for: those of the text as given, or of the normalised text.
  std::vector<added_match> find(std::string_view text, bool normalized) const;

  std::optional<std::int32_t> id(std::string_view content) const;
  std::optional<std::string_view> content(std::int32_t id) const;
  bool is_special(std::string_view content) const;
  /// One more than the largest id, 0 when there is none.
  std::int32_t id_end() const;

private:
  // What `token` takes when it is found at `span`; nothing if it may not be
  // there. `done` is where the match before ended.
  static std::optional<span_of_text> fit(const added_token &token,
                                         std::string_view text,
                                         span_of_text span, std::size_t done);
  std::optional<std::pair<std::size_t, std::int32_t>>
  longest(const byte_trie &trie, std::string_view text) const;

  std::map<std::string, std::int32_t, std::less<>> ids_;
  std::map<std::int32_t, added_token> tokens_;
  std::map<std::string, bool, std::less<>> special_;
  std::vector<std::string> order_; // contents as they were added
  byte_trie plain_, normalized_;
};

} // namespace ganglion::runtime

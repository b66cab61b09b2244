// Pre-tokenizers: cut a normalised text into the words that the model encodes
// one by one.
#pragma once

#include "runtime/json/reader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// A piece of text on its way to the model.
struct pre_token {
  std::string text;
  bool at_start = false; ///< the very first of the text that was given
};

/// Immutable; may be used by any number of threads.
class pre_tokenizer {
public:
  virtual ~pre_tokenizer() = default;
  /// Replaces `words` by what they are cut into; none of them is empty.
  virtual void apply(std::vector<pre_token> &words) const = 0;
};

using pre_tokenizer_ptr = std::shared_ptr<const pre_tokenizer>;

/// Reads the "pre_tokenizer" of a tokenizer.json. Throws `unsupported` naming
/// the type and path of one that is not implemented.
pre_tokenizer_ptr make_pre_tokenizer(const json::value &component);

/// ByteLevel with GPT-2's pattern.
pre_tokenizer_ptr make_byte_level_pre_tokenizer(bool add_prefix_space);
/// Metaspace "▁" that marks the start of the text and does not split.
pre_tokenizer_ptr make_first_metaspace();

} // namespace ganglion::runtime

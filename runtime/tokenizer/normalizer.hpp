// Normalizers: what is done to a text before it is split, from Unicode normal
// forms to the "▁" that SentencePiece models write for a space.
#pragma once

#include "runtime/json/reader.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// Rewrites text. Immutable; may be used by any number of threads.
class normalizer {
public:
  virtual ~normalizer() = default;
  /// Rewrites `text`, which is UTF-8 and stays UTF-8.
  virtual void apply(std::string &text) const = 0;
};

using normalizer_ptr = std::shared_ptr<const normalizer>;

/// Reads the "normalizer" of a tokenizer.json. Throws `unsupported` naming
/// the type and path of one that is not implemented.
normalizer_ptr make_normalizer(const json::value &component);

/// Puts `text` in front of anything not empty.
normalizer_ptr make_prepend(std::string text);
/// Replaces the string `from` by `to`.
normalizer_ptr make_replace(std::string from, std::string to);
/// Applies `steps` in order.
normalizer_ptr make_normalizer_sequence(std::vector<normalizer_ptr> steps);

} // namespace ganglion::runtime

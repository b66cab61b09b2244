// What every tokenizer model offers: a vocabulary, and the ids of one word.
#pragma once

#include "runtime/json/reader.hpp"
#include "runtime/tokenizer/pre_tokenizer.hpp"
#include "runtime/tokenizer/vocabulary.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// Immutable; may be used by any number of threads.
class token_model {
public:
  virtual ~token_model() = default;
  /// Appends the ids of each of `words` (UTF-8, not empty) to `out`.
  virtual void encode(std::span<const pre_token> words,
                      std::vector<std::int32_t> &out) const = 0;
  const vocabulary &tokens() const { return tokens_; }

protected:
  explicit token_model(vocabulary tokens) : tokens_(std::move(tokens)) {}

private:
  vocabulary tokens_;
};

using token_model_ptr = std::shared_ptr<const token_model>;

/// Reads the "model" of a tokenizer.json. Throws `unsupported` naming the
/// type of one that is not implemented.
token_model_ptr make_token_model(const json::value &component);

/// The ids of "<0x00>" to "<0xFF>", -1 where a byte has no token.
std::array<std::int32_t, 256> byte_token_ids(const vocabulary &tokens);
/// Appends one id per byte of `text`; appends nothing and returns false when
/// a byte has no token.
bool append_byte_tokens(const std::array<std::int32_t, 256> &ids,
                        std::string_view text, std::vector<std::int32_t> &out);
/// The byte that a token of the form "<0x2F>" stands for, or -1.
int byte_of_token(std::string_view token);

} // namespace ganglion::runtime

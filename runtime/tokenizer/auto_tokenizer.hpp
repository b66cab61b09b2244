// A model directory's tokenizer under the names of HuggingFace's
// `AutoTokenizer`: texts in, padded batches out, and back.
#pragma once

#include "runtime/tokenizer/batch_encoding.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// Immutable and cheap to copy; any number of threads may use one at once.
class auto_tokenizer {
public:
  /// Throws what `tokenizer::load` throws, and `invalid_argument` for sides
  /// in tokenizer_config.json that are neither "left" nor "right".
  static auto_tokenizer from_pretrained(const std::string &directory);

  /// Encodes all texts, on all cores. Throws `invalid_argument` naming the
  /// option that is missing or does not fit.
  batch_encoding operator()(const std::vector<std::string> &texts,
                            const encoding_options &options = {}) const;

  /// The text of one row of ids, special tokens included unless skipped.
  std::string decode(const std::vector<std::int32_t> &ids,
                     bool skip_special_tokens = false) const;
  /// `decode` of each row, on all cores.
  std::vector<std::string> batch_decode(const token_rows &rows,
                                        bool skip_special_tokens = false) const;

  std::optional<std::int32_t> bos_token_id() const;
  std::optional<std::int32_t> eos_token_id() const;
  std::optional<std::int32_t> pad_token_id() const;

  /// What is underneath: single texts, single tokens, streams.
  const std::shared_ptr<const tokenizer> &tokens() const { return tokens_; }

private:
  auto_tokenizer() = default;
  std::int64_t width_limit(const encoding_options &options,
                           const char *wanted_by) const;
  std::int32_t padding_id(const encoding_options &options) const;
  std::optional<std::int32_t> named_id(const char *name) const;

  std::string directory_;
  std::shared_ptr<const tokenizer> tokens_;
  std::optional<std::int64_t> model_max_length_;
  text_side padding_side_ = text_side::right;
  text_side truncation_side_ = text_side::right;
};

} // namespace ganglion::runtime

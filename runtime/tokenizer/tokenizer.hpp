// A model's tokenizer: text to ids and ids to text, equal to HuggingFace's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

struct tokenizer_parts;

/// Immutable: any number of threads may use one at once.
class tokenizer {
public:
  /// Reads the tokenizer of a model directory: tokenizer.json or, without
  /// one, tokenizer.model or vocab.json and merges.txt; and the special tokens
  /// that tokenizer_config.json and special_tokens_map.json name. Throws
  /// `not_found` when there is none of them, `unsupported` naming a component
  /// that is not implemented, `corrupt_data` or `invalid_argument` naming the
  /// field at fault.
  static std::shared_ptr<const tokenizer> load(const std::string &directory);

  /// Reads the text of a tokenizer.json alone; `where` names it in errors.
  /// No special tokens are named then.
  static std::shared_ptr<const tokenizer> from_json(std::string_view text,
                                                    const std::string &where);

  explicit tokenizer(tokenizer_parts parts);
  ~tokenizer();

  /// The ids of `text`, with the tokens that the model wants around it if
  /// `add_special_tokens`. Bytes that are not UTF-8 count as U+FFFD. Throws
  /// `invalid_argument` for more than `max_text_bytes`.
  std::vector<std::int32_t> encode(std::string_view text,
                                   bool add_special_tokens = true) const;
  static constexpr std::size_t max_text_bytes = std::size_t{1} << 28;

  /// What `encode` puts around a text if `add_special_tokens`.
  struct special_tokens {
    std::vector<std::int32_t> before, after;
  };
  special_tokens special_tokens_around() const;

  /// `encode` for many texts at once, on all cores.
  std::vector<std::vector<std::int32_t>>
  encode_batch(std::span<const std::string> texts,
               bool add_special_tokens = true) const;

  /// The text of `ids`. Ids without a token are left out, special tokens too
  /// if `skip_special_tokens`.
  std::string decode(std::span<const std::int32_t> ids,
                     bool skip_special_tokens) const;

  /// The id of `token` as the vocabulary writes it, if there is one.
  std::optional<std::int32_t> id_of(std::string_view token) const;
  /// The token with `id` as the vocabulary writes it, if there is one. The
  /// view lives as long as the tokenizer.
  std::optional<std::string_view> token_of(std::int32_t id) const;
  /// How `id` reads inside a text, special tokens too; bytes that make no
  /// character are U+FFFD. Empty without such a token.
  std::string text_of(std::int32_t id) const;
  /// The bytes that `id` stands for if they are no UTF-8 by themselves, else
  /// empty.
  std::string odd_bytes_of(std::int32_t id) const;
  /// The bytes that `id` adds inside a text, whole characters or not. Empty
  /// without such a token.
  std::string bytes_of(std::int32_t id) const;
  /// One more than the largest id.
  std::int32_t vocab_size() const;
  /// Whether `id` is a special token.
  bool is_special(std::int32_t id) const;

  /// The token that the configuration calls `name` ("bos_token", "eos_token",
  /// "unk_token", "pad_token"), if it names one that exists.
  std::optional<std::string_view> named_token(std::string_view name) const;
  /// The ids of the end of text: none or one.
  std::vector<std::int32_t> eos_token_ids() const;
  std::optional<std::int32_t> bos_token_id() const;

private:
  friend class detokenizer;
  void encode_plain(std::string text, bool at_start,
                    std::vector<std::int32_t> &out) const;

  std::unique_ptr<const tokenizer_parts> parts_;
};

} // namespace ganglion::runtime

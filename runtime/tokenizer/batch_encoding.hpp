// Batches of encoded texts as HuggingFace's tokenizers return them: cut to a
// length, padded to a rectangle, with a mask of the real tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ganglion::runtime {

/// One list of token ids (or of mask values) per row of a batch.
using token_rows = std::vector<std::vector<std::int32_t>>;

/// The end of a text at which something is added or taken away.
enum class text_side { left, right };

enum class padding {
  none,       ///< rows keep their lengths
  longest,    ///< to the longest row; HuggingFace's `padding=True`
  max_length, ///< to `max_length`; longer rows keep their lengths
};

/// Arguments of a tokenizer's call, under HuggingFace's names. What is unset
/// is as the model directory says.
struct encoding_options {
  runtime::padding padding = runtime::padding::none;
  bool truncation = false; ///< to `max_length`, special tokens included
  std::optional<std::int64_t> max_length = {}; ///< unset: model_max_length
  std::optional<text_side> padding_side = {}, truncation_side = {};
  /// Unset: the tokenizer's pad token or, without one, its end of text.
  std::optional<std::int32_t> pad_token_id = {};
  bool add_special_tokens = true;
};

struct batch_encoding {
  token_rows input_ids;
  token_rows attention_mask; ///< 1: a token, 0: padding
};

/// Takes ids away at `side` until at most `length` (>= 0) are left.
void truncate(std::vector<std::int32_t> &ids, std::int64_t length,
              text_side side);

/// Pads rows that are shorter than `width` with `pad_id` at `side`.
batch_encoding pad(token_rows rows, std::int64_t width, text_side side,
                   std::int32_t pad_id);

/// The length of the longest row; 0 without rows.
std::int64_t longest_row(const token_rows &rows);

} // namespace ganglion::runtime

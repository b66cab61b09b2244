#include "runtime/tokenizer/batch_encoding.hpp"

#include <algorithm>

namespace ganglion::runtime {

void truncate(std::vector<std::int32_t> &ids, std::int64_t length,
              text_side side) {
  const auto excess = static_cast<std::int64_t>(ids.size()) - length;
  if (excess <= 0)
    return;
  if (side == text_side::left)
    ids.erase(ids.begin(), ids.begin() + excess);
  else
    ids.resize(static_cast<std::size_t>(length));
}

batch_encoding pad(token_rows rows, std::int64_t width, text_side side,
                   std::int32_t pad_id) {
  batch_encoding out;
  out.input_ids = std::move(rows);
  for (auto &ids : out.input_ids) {
    const auto missing = static_cast<std::size_t>(std::max<std::int64_t>(
        0, width - static_cast<std::int64_t>(ids.size())));
    std::vector<std::int32_t> mask(ids.size(), 1);
    const bool left = side == text_side::left;
    ids.insert(left ? ids.begin() : ids.end(), missing, pad_id);
    mask.insert(left ? mask.begin() : mask.end(), missing, 0);
    out.attention_mask.push_back(std::move(mask));
  }
  return out;
}

std::int64_t longest_row(const token_rows &rows) {
  std::size_t longest = 0;
  for (const auto &row : rows)
    longest = std::max(longest, row.size());
  return static_cast<std::int64_t>(longest);
}

} // namespace ganglion::runtime

// Which tokens of a padded batch are real.
#pragma once

#include "runtime/tokenizer/batch_encoding.hpp"

#include <vector>

namespace ganglion::runtime {

/// The real tokens of a row: [begin, end).
struct row_extent {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
};

/// The columns of `ids`; throws `invalid_argument` naming `input_ids` when
/// there is no row, a row has no column or rows differ in length.
std::int64_t columns_of(const token_rows &ids);

/// The extent of each row. `mask` has the shape of `ids`, or is empty: all are
/// real. Throws `invalid_argument` naming `attention_mask`, row and column for
/// another shape or value, a row without tokens and padding between tokens.
std::vector<row_extent> row_extents(const token_rows &ids,
                                    const token_rows &mask);

/// Throws `invalid_argument` when a row has padding after its tokens: new
/// tokens would not follow them.
void require_left_padding(const std::vector<row_extent> &rows,
                          std::int64_t columns);

} // namespace ganglion::runtime

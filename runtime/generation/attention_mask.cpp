#include "runtime/generation/attention_mask.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <string>

namespace ganglion::runtime {

namespace {

[[noreturn]] void refuse(const char *field, std::size_t row,
                         const std::string &message) {
  throw error(error_code::invalid_argument,
              "row " + std::to_string(row) + " " + message, {}, field);
}

[[noreturn]] void refuse_mask(std::size_t row, const std::string &message) {
  refuse("attention_mask", row, message);
}

row_extent extent_of(const std::vector<std::int32_t> &mask, std::size_t row) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] != 0 && mask[i] != 1)
      refuse_mask(row, "has " + std::to_string(mask[i]) + " at column " +
                           std::to_string(i) + "; accepted: 0 and 1");
  const auto begin = std::find(mask.begin(), mask.end(), 1);
  const auto end = std::find(begin, mask.end(), 0);
  if (begin == mask.end())
    refuse_mask(row, "has no token");
  const auto column = [&](auto at) {
    return static_cast<std::int64_t>(at - mask.begin());
  };
  if (const auto again = std::find(end, mask.end(), 1); again != mask.end())
    refuse_mask(row, "has padding between tokens, at column " +
                         std::to_string(column(end)) +
                         "; accepted: padding at one side");
  return {column(begin), column(end)};
}

} // namespace

std::int64_t columns_of(const token_rows &ids) {
  if (ids.empty())
    throw error(error_code::invalid_argument,
                "the batch has no rows; accepted: 1 or more", {}, "input_ids");
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (ids[row].empty())
      refuse("input_ids", row, "has no tokens");
    if (ids[row].size() != ids[0].size())
      refuse("input_ids", row,
             "has " + std::to_string(ids[row].size()) + " tokens and row 0 " +
                 std::to_string(ids[0].size()) + "; pad them to one length");
  }
  return static_cast<std::int64_t>(ids[0].size());
}

std::vector<row_extent> row_extents(const token_rows &ids,
                                    const token_rows &mask) {
  const std::int64_t columns = columns_of(ids);
  if (mask.empty())
    return std::vector(ids.size(), row_extent{0, columns});
  if (mask.size() != ids.size())
    throw error(error_code::invalid_argument,
                "has " + std::to_string(mask.size()) + " rows, input_ids " +
                    std::to_string(ids.size()),
                {}, "attention_mask");
  std::vector<row_extent> out;
  for (std::size_t row = 0; row < mask.size(); ++row) {
    if (mask[row].size() != ids[row].size())
      refuse_mask(row, "has " + std::to_string(mask[row].size()) +
                           " columns, input_ids " +
                           std::to_string(ids[row].size()));
    out.push_back(extent_of(mask[row], row));
  }
  return out;
}

void require_left_padding(const std::vector<row_extent> &rows,
                          std::int64_t columns) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row].end != columns)
      refuse_mask(row, "has padding after its tokens, from column " +
                           std::to_string(rows[row].end) +
                           "; generation continues the last column: pad at "
                           "the left (padding_side)");
}

} // namespace ganglion::runtime

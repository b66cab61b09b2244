#include "apps/error_table.hpp"

namespace ganglion::apps {

namespace {

// 424 is what LMI answers to a payload it cannot use. A full queue, a deadline
// and a lost or draining engine are all "try again later".
constexpr error_row table[] = {
    {error_code::invalid_argument, 424, exit_usage, "BadRequestException"},
    {error_code::corrupt_data, 424, exit_failure, "BadRequestException"},
    {error_code::unsupported, 424, exit_failure, "BadRequestException"},
    {error_code::not_found, 404, exit_failure, "ResourceNotFoundException"},
    {error_code::out_of_memory, 507, exit_failure, "OutOfMemoryException"},
    {error_code::overloaded, 503, exit_failure, "WlmCapacityException"},
    {error_code::cancelled, 503, exit_failure, "ServiceUnavailableException"},
    {error_code::timed_out, 503, exit_failure, "ServiceUnavailableException"},
    {error_code::unavailable, 503, exit_failure, "ServiceUnavailableException"},
    {error_code::internal, 500, exit_failure, "InternalServerException"},
};

} // namespace

const error_row &row_of(error_code code) {
  for (const error_row &row : table)
    if (row.code == code)
      return row;
  return table[std::size(table) - 1];
}

} // namespace ganglion::apps

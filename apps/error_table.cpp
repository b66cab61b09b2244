#include "apps/error_table.hpp"

namespace ganglion::apps {

namespace {

constexpr error_words bad_payload{424, "BadRequestException"},
    bad_request{400, "invalid_request_error"}, bad_input{422, "validation"},
    lmi_later{503, "ServiceUnavailableException"},
    openai_later{503, "server_error"}, tgi_later{503, "healthcheck"},
    tgi_broken{424, "generation"};

// LMI answers 424 to a payload it cannot use. A full queue, a deadline and a
// lost or draining engine are all "try again later".
constexpr error_row table[] = {
    {error_code::invalid_argument, exit_usage, bad_payload, bad_request,
     bad_input},
    {error_code::corrupt_data, exit_failure, bad_payload, bad_request,
     bad_input},
    {error_code::unsupported, exit_failure, bad_payload, bad_request,
     bad_input},
    {error_code::not_found,
     exit_failure,
     {404, "ResourceNotFoundException"},
     {404, "invalid_request_error"},
     {404, "not_found"}},
    {error_code::out_of_memory,
     exit_failure,
     {507, "OutOfMemoryException"},
     {500, "server_error"},
     tgi_broken},
    {error_code::overloaded,
     exit_failure,
     {503, "WlmCapacityException"},
     {429, "rate_limit_error"},
     {429, "overloaded"},
     true},
    {error_code::cancelled, exit_failure, lmi_later, openai_later, tgi_later,
     true},
    {error_code::timed_out, exit_failure, lmi_later, openai_later, tgi_broken,
     true},
    {error_code::unavailable, exit_failure, lmi_later, openai_later, tgi_later,
     true},
    {error_code::internal,
     exit_failure,
     {500, "InternalServerException"},
     {500, "server_error"},
     tgi_broken},
};

} // namespace

const error_row &row_of(error_code code) {
  for (const error_row &row : table)
    if (row.code == code)
      return row;
  return table[std::size(table) - 1];
}

} // namespace ganglion::apps

#include "hlo/support/error.hpp"

namespace ganglion {

std::string_view to_string(error_code code) {
  switch (code) {
  case error_code::invalid_argument:
    return "invalid_argument";
  case error_code::not_found:
    return "not_found";
  case error_code::corrupt_data:
    return "corrupt_data";
  case error_code::unsupported:
    return "unsupported";
  case error_code::out_of_memory:
    return "out_of_memory";
  case error_code::overloaded:
    return "overloaded";
  case error_code::cancelled:
    return "cancelled";
  case error_code::timed_out:
    return "timed_out";
  case error_code::unavailable:
    return "unavailable";
  case error_code::internal:
    return "internal";
  }
  return "internal";
}

std::string error::describe() const {
  std::string line;
  for (const std::string *part : {&where_, &field_})
    if (!part->empty())
      line += *part + ": ";
  return line + what();
}

} // namespace ganglion

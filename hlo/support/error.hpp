// The one exception type of the system, thrown while loading, parsing and
// configuring, and turned into a typed error at the nearest boundary.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace ganglion {

/// What went wrong, coarse enough for a caller to act on. One table in `apps/`
/// maps codes to HTTP statuses and exit codes.
enum class error_code {
  invalid_argument, ///< a value the caller gave is not acceptable
  not_found,        ///< a file, model or tensor is not there
  corrupt_data,     ///< a file or message contradicts itself
  unsupported,      ///< understood, but this build does not do it
  out_of_memory,    ///< a core's memory budget would be exceeded
  overloaded,       ///< a queue is full; try again later
  cancelled,        ///< the caller or the host gave up on the work
  timed_out,        ///< a deadline passed
  unavailable,      ///< not ready, draining, or a shard was lost
  internal,         ///< a broken invariant: our bug
};

/// The stable lower-case name of `code`, as used in JSON bodies and logs.
std::string_view to_string(error_code code);

/// An error with its place: `where` is the file, tensor, route or component,
/// `field` the configuration key or JSON field (both may be empty).
class error : public std::runtime_error {
public:
  error(error_code code, const std::string &message, std::string where = {},
        std::string field = {})
      : std::runtime_error(message),
        code_(code),
        where_(std::move(where)),
        field_(std::move(field)) {}

  error_code code() const { return code_; }
  const std::string &where() const { return where_; }
  const std::string &field() const { return field_; }

  /// One line for people: "where: field: message", empty parts left out.
  std::string describe() const;

private:
  error_code code_;
  std::string where_;
  std::string field_;
};

/// Throws `internal` when an invariant does not hold.
inline void require(bool holds, const char *what) {
  if (!holds)
    throw error(error_code::internal, what);
}

} // namespace ganglion

// Turns a failed system call on a file into a typed error.
#pragma once

#include "hlo/support/error.hpp"

#include <cerrno>
#include <string>
#include <system_error>

namespace ganglion::runtime {

/// The error for `action` ("open", "write") on `path` failing with `number`.
inline error file_error(const std::string &path, const std::string &action,
                        int number = errno) {
  const bool absent = number == ENOENT || number == ENOTDIR;
  return error(absent ? error_code::not_found : error_code::unavailable,
               "cannot " + action + ": " +
                   std::generic_category().message(number),
               path);
}

} // namespace ganglion::runtime

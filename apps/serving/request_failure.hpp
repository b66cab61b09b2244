// Why a request could not be served, wherever that was found out.
#pragma once

#include "hlo/support/error.hpp"

#include <string>

namespace ganglion::apps {

struct request_failure {
  error_code code = error_code::internal;
  std::string message, where, field;
};

inline request_failure failure_of(const error &e) {
  return {e.code(), e.what(), e.where(), e.field()};
}

} // namespace ganglion::apps

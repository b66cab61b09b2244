// Where a server listens, which options say in two ways.
#pragma once

#include "runtime/config/option_values.hpp"

#include <cstdint>
#include <string>

namespace ganglion::runtime {

struct server_address {
  std::string host;
  std::uint16_t port = 0;

  bool operator==(const server_address &) const = default;
};

/// The host and port that `inference_address` says, of which `host` and `port`
/// override theirs when somebody set them as strongly. Throws
/// `invalid_argument` for another form, and where `management_address` is
/// another address.
server_address address_of(const option_values &values);

} // namespace ganglion::runtime

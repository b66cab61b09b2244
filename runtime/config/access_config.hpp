// Who may connect to the server, how, and what a connection may cost.
#pragma once

#include "runtime/config/option_values.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace ganglion::runtime {

struct access_config {
  std::vector<std::string> api_keys; ///< none: everybody may ask
  std::string api_key_file;          ///< more of them, one a line
  /// Sites whose pages may ask, or "*"; none: only the server's own.
  std::vector<std::string> cors_origins;
  std::string cors_methods = "GET, POST, OPTIONS";
  std::string cors_headers; ///< empty: whatever a page asks for
  /// PEM files; empty: plain HTTP.
  std::string certificate_file, private_key_file;

  std::size_t max_connections = 1024;
  std::size_t max_header_size = 16 << 10; ///< bytes
  std::chrono::duration<double> keep_alive_timeout{75};
  std::chrono::duration<double> header_timeout{15};
  std::chrono::duration<double> body_timeout{60};
};

/// Throws `invalid_argument` naming key and origin.
access_config access_part(const option_values &values);

} // namespace ganglion::runtime

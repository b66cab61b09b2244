#include "apps/serving/http_setup.hpp"

#include "apps/http/tls_context.hpp"
#include "hlo/support/error.hpp"

#include <fstream>

namespace ganglion::apps {

namespace {

std::chrono::milliseconds milliseconds_of(std::chrono::duration<double> time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

/// One a line; empty lines and those that start with '#' do not count.
void add_keys_of(const std::string &path, std::vector<std::string> &keys) {
  std::ifstream file(path);
  if (!file)
    throw error(error_code::not_found, "cannot be read", path, "api_key_file");
  const auto before = keys.size();
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r'))
      line.pop_back();
    if (!line.empty() && line[0] != '#')
      keys.push_back(line);
  }
  // A mistake here must not open the server to everybody.
  if (keys.size() == before)
    throw error(error_code::invalid_argument, "holds no keys", path,
                "api_key_file");
}

} // namespace

void apply_access(http_service &service, const runtime::server_config &server) {
  const auto &access = server.access;
  auto &limits = service.limits;
  limits.body_bytes = server.max_request_size;
  limits.sessions = access.max_connections;
  limits.header_bytes = static_cast<std::uint32_t>(access.max_header_size);
  limits.idle = milliseconds_of(access.keep_alive_timeout);
  limits.header = milliseconds_of(access.header_timeout);
  limits.receive = milliseconds_of(access.body_timeout);
  auto keys = access.api_keys;
  if (!access.api_key_file.empty())
    add_keys_of(access.api_key_file, keys);
  service.keys = key_check(keys);
  service.cross_origin = {access.cors_origins, access.cors_methods,
                          access.cors_headers};
  if (!access.certificate_file.empty())
    service.tls = tls_context(access.certificate_file, access.private_key_file);
}

} // namespace ganglion::apps

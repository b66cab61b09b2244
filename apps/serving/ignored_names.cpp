#include "apps/serving/ignored_names.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

constexpr std::size_t most_listed = 32;

std::string listed(const std::vector<std::string> &names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most_listed); ++i)
    out += (i == 0 ? "" : ", ") + header_token(names[i].substr(0, 64));
  return names.size() > most_listed ? out + ", ..." : out;
}

} // namespace

void tell_ignored(http_response &response,
                  const std::vector<std::string> &names) {
  if (!names.empty())
    response.headers.push_back(
        {"X-Ganglion-Ignored-Parameters", listed(names)});
}

void log_ignored(const std::string &request_id,
                 const std::vector<std::string> &names) {
  if (!names.empty())
    log::warn("{}: ignored parameters: {}", request_id, listed(names));
}

void refuse_ignored(const std::vector<std::string> &names) {
  if (names.empty())
    return;
  std::string all;
  for (const auto &name : names)
    all += (all.empty() ? "'" : ", '") + name + "'";
  throw error(error_code::invalid_argument,
              "unknown: " + all + "; refused because the server is strict",
              "request", names.front());
}

} // namespace ganglion::apps

#include "apps/http/cross_origin.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

constexpr std::string_view exposed =
    "x-request-id, Retry-After, X-Ganglion-Ignored-Parameters";

/// A list of header names, fit to be sent back.
bool is_name_list(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return header_token({&c, 1}) == std::string_view(&c, 1) || c == ',' ||
           c == ' ';
  });
}

void add_preflight(const cross_origin_policy &policy,
                   const http_request &request, std::vector<http_header> &out) {
  out.push_back({"Access-Control-Allow-Methods", policy.methods});
  const auto asked = request.header("access-control-request-headers");
  if (!policy.headers.empty())
    out.push_back({"Access-Control-Allow-Headers", policy.headers});
  else if (!asked.empty() && is_name_list(asked))
    out.push_back({"Access-Control-Allow-Headers", std::string(asked)});
  out.push_back({"Access-Control-Max-Age", "600"});
}

} // namespace

std::vector<http_header> cross_origin_headers(const cross_origin_policy &policy,
                                              const http_request &request) {
  std::vector<http_header> out;
  if (policy.origins.empty())
    return out;
  const auto listed = [&](std::string_view origin) {
    return std::ranges::find(policy.origins, origin) != policy.origins.end();
  };
  const bool all = listed("*");
  if (!all) // caches must not give one site's answer to another
    out.push_back({"Vary", "Origin"});
  const auto origin = request.header("origin");
  if (origin.empty() || !(all || listed(origin)))
    return out;
  out.push_back(
      {"Access-Control-Allow-Origin", all ? "*" : std::string(origin)});
  if (request.method == "OPTIONS" &&
      !request.header("access-control-request-method").empty())
    add_preflight(policy, request, out);
  else
    out.push_back({"Access-Control-Expose-Headers", std::string(exposed)});
  return out;
}

} // namespace ganglion::apps

#include "apps/http/router.hpp"

#include "apps/error_table.hpp"
#include "apps/http/response_writer.hpp"
#include "hlo/support/log.hpp"

namespace ganglion::apps {

namespace {

/// Takes the text before the next '/' off `path`.
std::string_view take_segment(std::string_view &path) {
  const auto segment = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(segment.size() + 1, path.size()));
  return segment;
}

bool matches(std::string_view pattern, std::string_view path,
             std::vector<std::string> &captures) {
  captures.clear();
  while (!pattern.empty() && !path.empty()) {
    const auto wanted = take_segment(pattern), found = take_segment(path);
    if (wanted.starts_with('{') && !found.empty())
      captures.emplace_back(found);
    else if (wanted != found)
      return false;
  }
  return pattern.empty() && path.empty();
}

} // namespace

http_router::http_router(std::vector<http_route> routes,
                         http_refusal_writer refuse)
    : routes_(std::move(routes)),
      refuse_(std::move(refuse)) {
  if (!refuse_)
    refuse_ = [](std::string_view, unsigned status, std::string_view type,
                 std::string_view text) {
      return error_response(status, type, text);
    };
}

void http_router::dispatch(http_request request,
                           std::shared_ptr<http_reply> reply) const {
  log::debug("{} {} {}", request.id, request.method, request.path);
  const auto path = request.path;
  try {
    route(std::move(request), reply);
  } catch (const error &e) {
    const auto &[status, type] = row_of(e.code()).lmi;
    reply->send(refuse_(path, status, type, e.describe()));
  } catch (const std::exception &e) {
    log::error("a handler failed: {}", e.what());
    const auto &[status, type] = row_of(error_code::internal).lmi;
    reply->send(refuse_(path, status, type, e.what()));
  }
}

void http_router::refuse_key(const http_request &request,
                             http_reply &reply) const {
  auto refusal =
      refuse_(request.path, 401, "AccessDeniedException",
              "a key is required; accepted: 'Authorization: Bearer KEY' or "
              "'X-Api-Key: KEY'");
  // Basic, so that browsers ask for it.
  refusal.headers.push_back({"WWW-Authenticate", "Bearer realm=\"ganglion\""});
  refusal.headers.push_back(
      {"WWW-Authenticate", "Basic realm=\"ganglion\", charset=\"UTF-8\""});
  reply.send(std::move(refusal));
}

void http_router::route(http_request request,
                        const std::shared_ptr<http_reply> &reply) const {
  if (request.method == "OPTIONS") {
    http_response out;
    out.body = "{}";
    return reply->send(std::move(out));
  }
  std::string allowed;
  for (const auto &candidate : routes_) {
    if (!matches(candidate.path, request.path, request.captures))
      continue;
    if (candidate.method == request.method)
      return candidate.handle(std::move(request), reply);
    allowed += (allowed.empty() ? "" : ", ") + candidate.method;
  }
  if (allowed.empty())
    return reply->send(refuse_(request.path, 404, "ResourceNotFoundException",
                               "no such route: " + request.path));
  auto refusal = refuse_(request.path, 405, "MethodNotAllowedException",
                         "method " + request.method +
                             " is not allowed here; accepted: " + allowed);
  refusal.headers.push_back({"Allow", allowed});
  reply->send(std::move(refusal));
}

} // namespace ganglion::apps

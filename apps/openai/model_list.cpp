#include "apps/openai/model_list.hpp"

#include "apps/openai/openai_error.hpp"
#include "apps/serving/unix_time.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::apps {

namespace {

void write_model(json::writer &out, const model_access &access,
                 std::int64_t created) {
  out.begin_object();
  out.key("id").string(access.name());
  out.key("object").string("model");
  out.key("created").integer(created);
  out.key("owned_by").string("ganglion");
  out.key("max_model_len").integer(access.served->status().n_positions);
  out.end_object();
}

http_response response_of(const json::writer &body) {
  http_response out;
  out.body = body.text();
  return out;
}

http_handler guard(http_handler handle) {
  return openai_guarded(openai_route::completions, std::move(handle));
}

} // namespace

std::vector<http_route> model_list_routes(const model_access &access) {
  const auto created = unix_time();
  const http_handler list = [=](const http_request &, auto reply) {
    json::writer out;
    out.begin_object().key("object").string("list");
    out.key("data").begin_array();
    write_model(out, access, created);
    out.end_array().end_object();
    reply->send(response_of(out));
  };
  // Hub names have a slash, which some clients escape and others do not.
  const http_handler one = [=](const http_request &request, auto reply) {
    std::string asked;
    for (const auto &part : request.captures)
      asked += (asked.empty() ? "" : "/") + segment_text(part);
    check_openai_model(asked, access.name());
    json::writer out;
    write_model(out, access, created);
    reply->send(response_of(out));
  };
  return {{"GET", "/v1/models", list},
          {"GET", "/v1/models/{model}", guard(one)},
          {"GET", "/v1/models/{owner}/{model}", guard(one)}};
}

} // namespace ganglion::apps

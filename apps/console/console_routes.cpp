#include "apps/console/console_routes.hpp"

#include "apps/console/console_files.hpp"
#include "apps/console/status_text.hpp"
#include "runtime/chat/model_chat.hpp"
#include "runtime/shard/loaded_model.hpp"

namespace ganglion::apps {

namespace {

// The page is complete in itself: nothing of it comes from elsewhere, and
// nothing that a model writes can make it ask anybody.
constexpr const char *content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

std::string type_of(std::string_view name) {
  if (name.ends_with(".css"))
    return "text/css; charset=utf-8";
  if (name.ends_with(".js"))
    return "text/javascript; charset=utf-8";
  return "text/html; charset=utf-8";
}

http_handler file_handler(const console_file &file) {
  return [file](const http_request &, auto reply) {
    http_response out;
    out.content_type = type_of(file.name);
    out.headers = {{"Content-Security-Policy", content_policy},
                   {"X-Content-Type-Options", "nosniff"},
                   {"Referrer-Policy", "no-referrer"}};
    out.body = file.text;
    reply->send(std::move(out));
  };
}

/// Whether the model can be talked with.
bool can_chat(const model_access &access) {
  const auto model = access.served->model();
  return model && model->chat && model->chat->refusal().empty();
}

} // namespace

std::vector<http_route> console_routes(const model_access &access) {
  std::vector<http_route> out;
  for (const auto &file : console_files())
    out.push_back(
        {"GET", file.name == "index.html" ? "/" : "/" + std::string(file.name),
         file_handler(file)});
  out.push_back({"GET", "/status", [access](const http_request &, auto reply) {
                   http_response response;
                   response.body = status_text(
                       {access.served->status(), access.served->metrics(),
                        access.name(), can_chat(access)});
                   reply->send(std::move(response));
                 }});
  return out;
}

} // namespace ganglion::apps

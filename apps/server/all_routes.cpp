#include "apps/server/all_routes.hpp"

#include "apps/http/response_writer.hpp"
#include "apps/lmi/routes.hpp"
#include "apps/openai/openai_error.hpp"
#include "apps/openai/routes.hpp"
#include "apps/tgi/routes.hpp"

#include <algorithm>
#include <iterator>

namespace ganglion::apps {

namespace {

http_response refuse(std::string_view path, unsigned status,
                     std::string_view type, std::string_view text) {
  return is_openai_path(path) ? openai_refusal(status, text)
                              : error_response(status, type, text);
}

} // namespace

http_router all_routes(const model_access &access) {
  auto out = lmi_routes(*access.served, *access.config, access.executor);
  std::ranges::move(openai_routes(access), std::back_inserter(out));
  std::ranges::move(tgi_routes(access), std::back_inserter(out));
  return http_router(std::move(out), refuse);
}

} // namespace ganglion::apps

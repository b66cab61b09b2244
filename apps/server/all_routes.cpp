#include "apps/server/all_routes.hpp"

#include "apps/console/console_routes.hpp"
#include "apps/http/response_writer.hpp"
#include "apps/lmi/routes.hpp"
#include "apps/metrics/metric_routes.hpp"
#include "apps/openai/openai_error.hpp"
#include "apps/openai/routes.hpp"
#include "apps/server/health_routes.hpp"
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

http_router all_routes(const model_access &access,
                       std::shared_ptr<const server_metrics> counted) {
  auto out = lmi_routes(access);
  std::ranges::move(health_routes(access), std::back_inserter(out));
  std::ranges::move(metric_routes(access, std::move(counted)),
                    std::back_inserter(out));
  std::ranges::move(openai_routes(access), std::back_inserter(out));
  std::ranges::move(tgi_routes(access), std::back_inserter(out));
  std::ranges::move(console_routes(access), std::back_inserter(out));
  return http_router(std::move(out), refuse);
}

} // namespace ganglion::apps

#include "apps/metrics/metric_routes.hpp"

#include "apps/metrics/metrics_text.hpp"

namespace ganglion::apps {

std::vector<http_route>
metric_routes(const model_access &access,
              std::shared_ptr<const server_metrics> counted) {
  const http_handler metrics =
      [access, counted = std::move(counted)](const http_request &, auto reply) {
        const auto status = access.served->status();
        http_response out;
        out.content_type = metrics_text_type;
        out.body = metrics_text({status, access.served->metrics(), *counted,
                                 access.name(), steady_clock().now()});
        reply->send(std::move(out));
      };
  return {{"GET", "/metrics", metrics}, {"GET", "/server/metrics", metrics}};
}

} // namespace ganglion::apps

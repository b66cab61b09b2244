// Where Prometheus asks.
#pragma once

#include "apps/http/router.hpp"
#include "apps/metrics/server_metrics.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

/// /metrics, and /server/metrics as the LMI container calls it.
std::vector<http_route>
metric_routes(const model_access &access,
              std::shared_ptr<const server_metrics> counted);

} // namespace ganglion::apps

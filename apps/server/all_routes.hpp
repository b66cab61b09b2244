// All routes of the server, each family with its own words for errors.
#pragma once

#include "apps/http/router.hpp"
#include "apps/metrics/server_metrics.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

/// `counted` is what /metrics tells of the server.
http_router all_routes(const model_access &access,
                       std::shared_ptr<const server_metrics> counted);

} // namespace ganglion::apps

// Whether the server lives, and whether it is ready: each by itself.
#pragma once

#include "actors/engine.hpp"
#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

/// /health/live answers as long as the server's thread does; /health/ready and
/// /health say whether a request would be served now.
std::vector<http_route> health_routes(const model_access &access);

/// What /health/ready says of an engine.
http_response ready_response(engine_state state, bool alive);

} // namespace ganglion::apps

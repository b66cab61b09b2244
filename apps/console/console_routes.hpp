// The web console at "/", and what it shows of the engine at /status.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

std::vector<http_route> console_routes(const model_access &access);

} // namespace ganglion::apps

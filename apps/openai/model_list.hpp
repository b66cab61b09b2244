// /v1/models: what is served.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

std::vector<http_route> model_list_routes(const model_access &access);

} // namespace ganglion::apps

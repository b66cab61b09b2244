// The routes of TGI that this server answers.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

std::vector<http_route> tgi_routes(const model_access &access);

} // namespace ganglion::apps

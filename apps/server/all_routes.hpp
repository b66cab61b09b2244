// All routes of the server, each family with its own words for errors.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

http_router all_routes(const model_access &access);

} // namespace ganglion::apps

// The routes of the LMI contract that this server answers.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

std::vector<http_route> lmi_routes(const model_access &access);

/// What /ping says of an engine in `state`; with `multi_status`, in status 207
/// while it loads.
http_response ping_response(engine_state state, bool multi_status = false);
/// What it says of one whose actors do not answer.
http_response stuck_response();

} // namespace ganglion::apps

// The routes of the LMI contract that this server answers.
#pragma once

#include "actors/engine.hpp"
#include "apps/http/router.hpp"

#include <boost/asio/any_io_executor.hpp>

namespace ganglion::apps {

/// Handlers run on `executor` and use `engine`, which must outlive the
/// requests that they start.
std::vector<http_route> lmi_routes(engine &engine, const engine_config &config,
                                   boost::asio::any_io_executor executor);

/// What /ping says of an engine in `state`; with `multi_status`, in status 207
/// while it loads.
http_response ping_response(engine_state state, bool multi_status = false);

} // namespace ganglion::apps

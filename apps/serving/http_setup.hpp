// From the configuration to what listeners need: limits, keys, certificates.
#pragma once

#include "apps/http/service.hpp"
#include "runtime/config/engine_config.hpp"

namespace ganglion::apps {

/// Puts what `server` says into `service`, reading the files that it names.
/// Throws `invalid_argument` or `not_found` naming the option of a file that
/// does not do.
void apply_access(http_service &service, const runtime::server_config &server);

} // namespace ganglion::apps

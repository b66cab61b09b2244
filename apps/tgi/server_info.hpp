// /info: what TGI's clients ask a server about itself.
#pragma once

#include "apps/serving/model_access.hpp"

#include <string>

namespace ganglion::apps {

/// A JSON object. Throws `unavailable` while there is no model.
std::string server_info(const model_access &access);

} // namespace ganglion::apps

// /v1/chat/completions: a conversation, put into a prompt by the model's
// template and continued.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

std::vector<http_route> chat_routes(const model_access &access);

} // namespace ganglion::apps

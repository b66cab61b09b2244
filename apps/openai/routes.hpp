// The routes of OpenAI's interface that this server answers.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

std::vector<http_route> openai_routes(const model_access &access);

/// Whether the clients of `path` expect errors of OpenAI's form.
bool is_openai_path(std::string_view path);

} // namespace ganglion::apps

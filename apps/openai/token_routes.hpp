// /tokenize and /detokenize: the model's tokenizer over HTTP.
#pragma once

#include "apps/http/router.hpp"
#include "apps/serving/model_access.hpp"

namespace ganglion::apps {

/// {"prompt", "add_special_tokens"} to {"tokens"}, and back.
std::vector<http_route> token_routes(const model_access &access);

} // namespace ganglion::apps

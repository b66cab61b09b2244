// The options that `tokenize` and `detokenize` share.
#pragma once

#include "apps/cli/command.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <memory>

namespace ganglion::apps {

/// --model and --no-special, whose help is `no_special`.
runtime::option_table tokenizer_options(std::string_view no_special);

/// --model; throws `invalid_argument` without one.
const std::string &model_directory(const runtime::parsed_command &arguments);

/// The tokenizer of --model; throws `invalid_argument` without one.
std::shared_ptr<const runtime::tokenizer>
load_tokenizer(const runtime::parsed_command &arguments);

} // namespace ganglion::apps

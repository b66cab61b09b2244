// Where artefacts are kept when nobody says.
#pragma once

#include "runtime/config/config_source.hpp"
#include "runtime/config/engine_config.hpp"

namespace ganglion::runtime {

/// Gives `config` the user's own cache, for models large enough to be worth
/// it; nothing for a user who has none.
void use_default_cache(const environment &variables, model_config &config);

} // namespace ganglion::runtime

// A look at the engine and its actors, as JSON.
#pragma once

#include "actors/engine.hpp"

#include <string>

namespace ganglion::apps {

struct status_sources {
  engine_status status;
  const engine_metrics &metrics;
  std::string model;
  bool chat = false; ///< the model has a template for conversations
};

std::string status_text(const status_sources &from);

} // namespace ganglion::apps

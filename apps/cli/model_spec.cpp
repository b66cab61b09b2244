#include "apps/cli/model_spec.hpp"

#include "runtime/models/family.hpp"

namespace ganglion::apps {

hlo::decoder_spec read_spec(const std::string &directory) {
  const auto config = json::document::load(directory + "/config.json");
  return runtime::family_of(config.root()).spec_of(config.root());
}

} // namespace ganglion::apps

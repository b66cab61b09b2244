#include "runtime/config/default_cache.hpp"

namespace ganglion::runtime {

namespace {

/// Smaller models are packed faster than anybody can tell.
constexpr std::uint64_t least_cached = std::uint64_t{64} << 20;

std::string variable(const environment &variables, const char *name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

} // namespace

void use_default_cache(const environment &variables, model_config &config) {
  auto base = variable(variables, "XDG_CACHE_HOME");
  if (const auto home = variable(variables, "HOME");
      base.empty() && !home.empty())
    base = home + "/.cache";
  if (base.empty())
    return;
  config.artifact_cache = base + "/ganglion";
  config.artifact_cache_least = least_cached;
}

} // namespace ganglion::runtime

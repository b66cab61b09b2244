#include "apps/sources/source_options.hpp"

#include <fstream>
#include <initializer_list>
#include <thread>

namespace ganglion::apps {

namespace {

/// The first of the variables that has a value.
std::string variable(const runtime::environment &variables,
                     std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (const auto found = variables.find(name);
        found != variables.end() && !found->second.empty())
      return found->second;
  return {};
}

std::string user_cache(const runtime::environment &variables) {
  auto base = variable(variables, {"XDG_CACHE_HOME"});
  if (base.empty())
    base = variable(variables, {"HOME"}) + "/.cache";
  return base;
}

std::string without_slash(std::string text) {
  while (text.ends_with('/'))
    text.pop_back();
  return text;
}

/// The token that HuggingFace's login left.
std::string stored_token(const std::string &home) {
  std::ifstream file(home + "/token");
  std::string out;
  std::getline(file, out);
  return out;
}

hub_access hub_of(const runtime::option_values &values,
                  const runtime::environment &variables) {
  hub_access out;
  auto home = values.string("hf_home");
  if (home.empty())
    home = user_cache(variables) + "/huggingface";
  out.cache = variable(variables, {"HF_HUB_CACHE"});
  if (out.cache.empty())
    out.cache = home + "/hub";
  out.endpoint = without_slash(values.string("hf_endpoint"));
  out.token = values.string("hf_token");
  if (out.token.empty())
    out.token = stored_token(home);
  out.revision = values.string("revision");
  out.offline = values.boolean("hf_hub_offline");
  return out;
}

s3_access s3_of(const runtime::environment &variables) {
  s3_access out;
  out.endpoint = without_slash(
      variable(variables, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}));
  if (const auto region =
          variable(variables, {"AWS_REGION", "AWS_DEFAULT_REGION"});
      !region.empty())
    out.region = region;
  const aws_credentials found{variable(variables, {"AWS_ACCESS_KEY_ID"}),
                              variable(variables, {"AWS_SECRET_ACCESS_KEY"}),
                              variable(variables, {"AWS_SESSION_TOKEN"})};
  if (!found.access_key.empty() && !found.secret_key.empty())
    out.credentials = found;
  return out;
}

} // namespace

source_options source_options_of(const runtime::option_values &values,
                                 const runtime::environment &variables) {
  source_options out;
  out.hub = hub_of(values, variables);
  out.s3 = s3_of(variables);
  out.download_dir = values.string("download_dir");
  if (out.download_dir.empty())
    out.download_dir = user_cache(variables) + "/ganglion/models";
  out.model_size_limit =
      static_cast<std::uint64_t>(values.integer("model_size_limit")) << 30;
  out.pause = [](duration wait) { std::this_thread::sleep_for(wait); };
  return out;
}

} // namespace ganglion::apps

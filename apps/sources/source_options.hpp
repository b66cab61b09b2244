// What fetching a model needs to know besides its name.
#pragma once

#include "actors/engine.hpp"
#include "apps/sources/aws_signature.hpp"
#include "hlo/support/clock.hpp"
#include "runtime/config/option_values.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ganglion::apps {

struct hub_access {
  std::string endpoint = "https://huggingface.co";
  std::string token = {}; ///< empty: none
  std::string cache = {}; ///< the directory "hub" of HF_HOME
  std::string revision = "main";
  bool offline = false; ///< what the cache has is all there is
};

struct s3_access {
  std::string endpoint = {}; ///< empty: AWS's own
  std::string region = "us-east-1";
  std::optional<aws_credentials> credentials = {}; ///< nothing: not signed
};

struct source_options {
  hub_access hub;
  s3_access s3;
  std::string download_dir;            ///< for what has no cache of its own
  std::uint64_t model_size_limit = 0;  ///< bytes
  load_observer observer = {};         ///< told of downloads
  std::function<void(duration)> pause; ///< waits between attempts
};

/// From the options and the usual variables of HuggingFace and AWS.
source_options source_options_of(const runtime::option_values &values,
                                 const runtime::environment &variables);

} // namespace ganglion::apps

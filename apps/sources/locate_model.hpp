// From the name of a model to a directory that has it: local, unpacked, or
// fetched.
#pragma once

#include "apps/sources/source_options.hpp"
#include "runtime/config/load_config.hpp"

#include <string>

namespace ganglion::apps {

/// `model` is a directory, an archive, "s3://BUCKET/PREFIX" or an id of the
/// hub; what exists here is meant before what may exist there. Throws what the
/// sources throw and `unsupported` for other URLs.
runtime::located_model locate_model(const std::string &model,
                                    const source_options &options);

} // namespace ganglion::apps

// Post-processors: the special tokens around an encoded text.
#pragma once

#include "runtime/json/reader.hpp"

#include <cstdint>
#include <vector>

namespace ganglion::runtime {

/// What all the post-processors of a tokenizer come to for a single text.
struct post_processor {
  std::vector<std::int32_t> before, after;
};

/// Reads the "post_processor" of a tokenizer.json. Throws `unsupported`
/// naming the type and path of one that is not implemented.
post_processor read_post_processor(const json::value &component);

} // namespace ganglion::runtime

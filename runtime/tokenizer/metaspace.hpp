// What Metaspace says on both sides: how it is written in a tokenizer.json.
#pragma once

#include "runtime/json/reader.hpp"

#include <string>

namespace ganglion::runtime {

enum class prepend_scheme { always, first, never };

struct metaspace_options {
  std::string replacement; ///< one character
  prepend_scheme scheme = prepend_scheme::always;
  bool split = true;
};

/// Throws for a replacement of more than one character or a scheme that is
/// not known.
metaspace_options read_metaspace(const json::value &component);

} // namespace ganglion::runtime

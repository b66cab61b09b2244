// The fields of OpenAI request bodies, and those that other servers of this
// interface added: one table from which parsing, refusals and tests come.
#pragma once

#include "apps/openai/openai_call.hpp"
#include "runtime/json/reader.hpp"

#include <span>
#include <string_view>

namespace ganglion::apps {

struct openai_field {
  std::string_view name;
  unsigned routes = 0; ///< those of `openai_route` that have it
  /// Puts a value, which is not null, into the call. Null for a field without
  /// effect.
  void (*apply)(openai_call &call, const json::value &v) = nullptr;
  /// Of a field without effect: whether a value asks for nothing beyond what
  /// is done anyway.
  bool (*harmless)(const json::value &v) = nullptr;
};

std::span<const openai_field> openai_fields();

/// The row of that name on `route`, or null.
const openai_field *find_openai_field(openai_route route,
                                      std::string_view name);

} // namespace ganglion::apps

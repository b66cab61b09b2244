// The generation parameters of TGI: one table from which parsing, refusals and
// tests come.
#pragma once

#include "apps/tgi/tgi_call.hpp"
#include "runtime/json/reader.hpp"

#include <span>
#include <string_view>

namespace ganglion::apps {

/// Sequences that one request may choose from.
inline constexpr std::int64_t most_best_of = 16;

struct tgi_parameter {
  std::string_view name;
  /// Puts a value, which is not null, into the call. Null for a parameter that
  /// is not implemented.
  void (*apply)(tgi_call &call, const json::value &v) = nullptr;
  /// Of a parameter that is not implemented: whether a value asks for nothing
  /// beyond what is done anyway.
  bool (*harmless)(const json::value &v) = nullptr;
};

std::span<const tgi_parameter> tgi_parameters();

/// The row of that name, or null.
const tgi_parameter *find_tgi_parameter(std::string_view name);

} // namespace ganglion::apps

// The generation parameters of the LMI contract: one table from which parsing,
// refusals and tests come.
#pragma once

#include "apps/lmi/invocation.hpp"
#include "runtime/json/reader.hpp"

#include <span>
#include <string_view>

namespace ganglion::apps {

struct lmi_parameter {
  std::string_view name;
  /// Puts a value, which is not null, into the invocation. Null for a
  /// parameter that is not implemented.
  void (*apply)(invocation &call, const json::value &v);
  /// Of a parameter that is not implemented: whether a value asks for
  /// nothing beyond what is done anyway.
  bool (*harmless)(const json::value &v);
};

std::span<const lmi_parameter> lmi_parameters();

/// The row of that name, or null.
const lmi_parameter *find_lmi_parameter(std::string_view name);

} // namespace ganglion::apps

// A request body of the LMI contract, read and checked: what to generate and
// how the answer shall look.
#pragma once

#include "runtime/generation/generation_request.hpp"
#include "runtime/json/reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::apps {

struct invocation {
  runtime::generation_request request;
  bool stream = false;
  bool details = false;
  bool timings = false;
  bool return_full_text = false;
  /// More than one text is generated, which only details can tell of.
  bool chooses() const { return request.n > 1 || request.best_of > 1; }
  /// Names that mean nothing to this build and were passed over.
  std::vector<std::string> ignored;
};

/// Puts the members of a "parameters" object that are not null into `call`.
/// Throws as `parse_invocation` does; ranges are left to `validate`.
void apply_parameters(invocation &call, const json::value &parameters);

/// Reads {"inputs", "parameters", "stream"}. Throws `corrupt_data` for what is
/// no JSON, `invalid_argument` naming a field with a bad value and, if
/// `strict`, unknown names; `unsupported` for a parameter of the contract
/// that this build does not implement and whose value asks for something.
invocation parse_invocation(std::string_view body, bool strict);

} // namespace ganglion::apps

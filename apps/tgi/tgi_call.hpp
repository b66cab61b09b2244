// A request body of the TGI routes, read and checked.
#pragma once

#include "runtime/generation/generation_request.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::apps {

/// Where a request came in decides how it is answered.
enum class tgi_route {
  generate,        ///< an object
  generate_stream, ///< events
  root,            ///< a list of one object, or events if `stream`
};

struct tgi_call {
  tgi_route route = tgi_route::generate;
  runtime::generation_request request;
  std::int64_t best_of = 1;
  bool stream = false;
  bool details = false;
  bool return_full_text = false;
  /// Names that mean nothing to this build and were passed over.
  std::vector<std::string> ignored;
};

/// Reads {"inputs", "parameters", "stream"}. Throws `corrupt_data` for what is
/// no JSON, `invalid_argument` naming a field with a bad value and, if
/// `strict`, unknown names; `unsupported` for a parameter of TGI that this
/// build does not implement and whose value asks for something.
tgi_call parse_tgi_call(tgi_route route, std::string_view body, bool strict);

/// `best_of` sequences; with a seed each has its own, counted up from it.
std::vector<runtime::generation_request> sequences_of(const tgi_call &call);

} // namespace ganglion::apps

#include "apps/lmi/invocation.hpp"

#include "apps/lmi/parameter_table.hpp"
#include "apps/serving/ignored_names.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

constexpr const char *place = "request";

/// Top-level members of other services of the contract.
constexpr std::string_view unsupported_members[] = {"messages", "adapters",
                                                    "cached_prompt"};

void apply_parameter(invocation &call, const std::string &name,
                     const json::value &v) {
  const auto *row = find_lmi_parameter(name);
  if (row == nullptr)
    call.ignored.push_back(name);
  else if (row->apply != nullptr)
    row->apply(call, v);
  else if (!row->harmless(v))
    throw error(error_code::unsupported,
                "'" + name + "' is not supported by this server; leave it out",
                place, v.path());
}

void apply_member(invocation &call, const std::string &name,
                  const json::value &v) {
  if (name == "inputs")
    call.request.prompt = v.as_string();
  else if (name == "parameters")
    apply_parameters(call, v);
  else if (name == "stream")
    call.stream = v.as_bool();
  else if (std::ranges::find(unsupported_members, name) !=
           std::end(unsupported_members))
    throw error(error_code::unsupported,
                "'" + name + "' is not supported by this server", place,
                v.path());
  else if (name != "model") // the contract says that it has no effect
    call.ignored.push_back(name);
}

/// As text-generation-inference has it, whose form the details have.
void check_choices(invocation &call) {
  if (!call.chooses())
    return;
  if (call.stream)
    throw error(error_code::invalid_argument,
                "a stream is of one text and cannot choose; accepted: 1", place,
                call.request.n > 1 ? "parameters.n" : "parameters.best_of");
  call.details = true;
}

} // namespace

void apply_parameters(invocation &call, const json::value &parameters) {
  for (const auto &[name, v] : parameters.members())
    if (!v.is_null())
      apply_parameter(call, name, v);
}

invocation parse_invocation(std::string_view body, bool strict) {
  const auto document = json::document::parse(body, place);
  const auto root = document.root();
  invocation call;
  for (const auto &[name, v] : root.members())
    if (!v.is_null())
      apply_member(call, name, v);
  root.at("inputs"); // throws when it is missing
  if (strict)
    refuse_ignored(call.ignored);
  check_choices(call);
  runtime::validate(call.request);
  return call;
}

} // namespace ganglion::apps

#include "apps/tgi/tgi_call.hpp"

#include "apps/serving/ignored_names.hpp"
#include "apps/serving/parameter_reading.hpp"
#include "apps/tgi/parameter_table.hpp"
#include "hlo/support/error.hpp"

namespace ganglion::apps {

namespace {

constexpr const char *place = "request";
/// What TGI generates where a request does not say.
constexpr std::int64_t default_new_tokens = 100;

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, place, field);
}

void apply_parameters(tgi_call &call, const json::value &parameters) {
  for (const auto &[name, v] : parameters.members()) {
    const auto *row = find_tgi_parameter(name);
    if (row == nullptr)
      call.ignored.push_back(name);
    else if (v.is_null())
      continue;
    else if (row->apply != nullptr)
      row->apply(call, v);
    else if (!row->harmless(v))
      refuse_unsupported(v);
  }
}

void apply_member(tgi_call &call, const std::string &name,
                  const json::value &v) {
  if (name == "inputs")
    call.request.prompt = v.as_string();
  else if (name == "parameters")
    apply_parameters(call, v);
  else if (name == "stream" && call.route == tgi_route::root)
    call.stream = v.as_bool();
  else
    call.ignored.push_back(name);
}

/// What concerns more than one field.
void check_together(const tgi_call &call) {
  if (call.stream && call.request.prompt_logprobs)
    refuse("parameters.decoder_input_details",
           "not supported when streaming tokens; accepted: false");
  if (call.best_of == 1)
    return;
  if (call.stream)
    refuse("parameters.best_of", "a stream cannot choose; accepted: 1");
  if (!call.request.sampling.do_sample)
    refuse("parameters.best_of",
           "without sampling all sequences are the same; accepted: 1");
}

} // namespace

tgi_call parse_tgi_call(tgi_route route, std::string_view body, bool strict) {
  const auto document = json::document::parse(body, place);
  const auto root = document.root();
  tgi_call call;
  call.route = route;
  call.stream = route == tgi_route::generate_stream;
  call.request.max_new_tokens = default_new_tokens;
  for (const auto &[name, v] : root.members())
    if (!v.is_null())
      apply_member(call, name, v);
  root.at("inputs"); // throws when it is missing
  if (strict)
    refuse_ignored(call.ignored);
  check_together(call);
  runtime::validate(call.request);
  return call;
}

std::vector<runtime::generation_request> sequences_of(const tgi_call &call) {
  std::vector<runtime::generation_request> out(
      static_cast<std::size_t>(call.best_of), call.request);
  for (std::size_t i = 0; call.request.seed && i < out.size(); ++i)
    *out[i].seed += i;
  return out;
}

} // namespace ganglion::apps

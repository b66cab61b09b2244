#include "apps/cli/generate_input.hpp"

#include "apps/lmi/invocation.hpp"
#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"

#include <fstream>
#include <iterator>
#include <limits>

namespace ganglion::apps {

namespace {

using enum runtime::option_kind;
using runtime::parsed_command;

constexpr const char *place = "command line";

std::string all_of(std::istream &in) {
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string contents(const std::string &path, const char *option) {
  std::ifstream file(path, std::ios::binary);
  auto text = all_of(file);
  if (!file.is_open() || file.bad())
    throw error(error_code::not_found, "cannot read file", path, option);
  return text;
}

void check_one_prompt(const parsed_command &arguments) {
  const int given = static_cast<int>(arguments.positionals.size()) +
                    arguments.own.is_set("file") +
                    arguments.own.is_set("prompt_ids");
  if (given > 1)
    throw error(error_code::invalid_argument,
                "more than one prompt; accepted: one of PROMPT, --file and "
                "--prompt-ids, or standard input",
                place);
}

std::string prompt_text(const parsed_command &arguments, std::istream &in) {
  if (!arguments.positionals.empty())
    return arguments.positionals.front();
  auto text = arguments.own.is_set("file")
                  ? contents(arguments.own.string("file"), "--file")
                  : all_of(in);
  if (text.ends_with('\n'))
    text.pop_back();
  return text;
}

/// The form of the text, of which there is one at most.
std::optional<runtime::output_form>
output_form_of(const runtime::option_values &own) {
  using enum runtime::output_kind;
  std::vector<runtime::output_form> given;
  if (own.is_set("json_schema"))
    given.push_back(
        {json, contents(own.string("json_schema"), "--json-schema"), {}});
  if (own.boolean("json_object"))
    given.push_back({json_object, {}, {}});
  if (own.is_set("regex"))
    given.push_back({regex, own.string("regex"), {}});
  if (own.is_set("choice"))
    given.push_back({choice, {}, own.get<std::vector<std::string>>("choice")});
  if (own.is_set("grammar"))
    given.push_back(
        {grammar, contents(own.string("grammar"), "--grammar"), {}});
  if (given.size() > 1)
    throw error(error_code::invalid_argument,
                "more than one form of the output; accepted: one of "
                "--json-schema, --json-object, --regex, --choice and "
                "--grammar",
                place);
  if (given.empty())
    return std::nullopt;
  return given.front();
}

/// The request with the parameters of a request's body over it.
runtime::generation_request with_parameters(runtime::generation_request base,
                                            const std::string &text) {
  const auto document = json::document::parse(text, "--parameters");
  invocation call;
  call.request = std::move(base);
  apply_parameters(call, document.root());
  if (!call.ignored.empty())
    throw error(error_code::invalid_argument,
                "unknown: '" + call.ignored.front() + "'", place,
                "--parameters");
  return std::move(call.request);
}

std::optional<std::int32_t> optional_count(const runtime::option_values &own,
                                           const std::string &name) {
  if (!own.is_set(name))
    return std::nullopt;
  return static_cast<std::int32_t>(own.integer(name));
}

} // namespace

runtime::option_table generate_options() {
  constexpr double most_id = std::numeric_limits<std::int32_t>::max();
  return {
      {.name = "file", .help = "file with the prompt"},
      {.name = "prompt_ids",
       .kind = integer_list,
       .help = "the prompt as token ids",
       .least = 0,
       .most = most_id},
      {.name = "do_sample",
       .kind = boolean,
       .help = "draw tokens instead of taking the likeliest"},
      {.name = "temperature",
       .kind = real,
       .fallback = "1",
       .help = "flattens (above 1) or sharpens the distribution"},
      {.name = "top_k",
       .kind = integer,
       .fallback = "0",
       .help = "draw from so many likeliest tokens; 0: all",
       .least = 0,
       .most = most_id},
      {.name = "top_p",
       .kind = real,
       .fallback = "1",
       .help = "draw from the likeliest tokens with this probability together"},
      {.name = "repetition_penalty",
       .kind = real,
       .fallback = "1",
       .help = "above 1: tokens that occurred become less likely"},
      {.name = "parameters",
       .help = "JSON object with any parameter of a request (see "
               "docs/sampling.md); over the options here"},
      {.name = "stop",
       .kind = string_list,
       .help = "text that ends the output and is left out; may be repeated"},
      {.name = "ignore_eos",
       .kind = boolean,
       .help = "go on after the model has ended its text"},
      {.name = "json_schema",
       .help = "file with a JSON schema that the text must follow (see "
               "docs/structured_output.md)"},
      {.name = "json_object",
       .kind = boolean,
       .help = "the text is a JSON object"},
      {.name = "regex",
       .help = "regular expression that the whole text must match"},
      {.name = "choice",
       .kind = string_list,
       .help = "a text that may be chosen; repeated for each"},
      {.name = "grammar",
       .help = "file with a grammar in EBNF that the text must follow"},
      {.name = "top_logprobs",
       .kind = integer,
       .help = "with --json: likeliest tokens to list at each new token",
       .least = 0,
       .most = most_id},
      {.name = "prompt_logprobs",
       .kind = integer,
       .help = "with --json: list the prompt's tokens with log-probabilities "
               "and so many likeliest tokens at each",
       .least = 0,
       .most = most_id},
      {.name = "processed_logprobs",
       .kind = boolean,
       .help = "log-probabilities after penalties and filters instead of the "
               "model's"},
      {.name = "json",
       .kind = boolean,
       .help = "print one object with ids, log-probabilities and times"},
  };
}

runtime::generation_request generate_request(const parsed_command &arguments,
                                             std::istream &in) {
  check_one_prompt(arguments);
  const auto &own = arguments.own;
  runtime::generation_request out;
  if (own.is_set("prompt_ids")) {
    const auto &ids = own.get<std::vector<std::int64_t>>("prompt_ids");
    if (ids.empty())
      throw error(error_code::invalid_argument,
                  "the prompt has no tokens; accepted: 1 or more", place,
                  "--prompt-ids");
    out.prompt_ids.assign(ids.begin(), ids.end());
  } else {
    out.prompt = prompt_text(arguments, in);
  }
  out.sampling.do_sample = own.boolean("do_sample");
  out.sampling.temperature = static_cast<float>(own.real("temperature"));
  out.sampling.top_k = static_cast<std::int32_t>(own.integer("top_k"));
  out.sampling.top_p = static_cast<float>(own.real("top_p"));
  out.sampling.repetition_penalty =
      static_cast<float>(own.real("repetition_penalty"));
  out.stop = own.get<std::vector<std::string>>("stop");
  out.ignore_eos = own.boolean("ignore_eos");
  out.structured_outputs = output_form_of(own);
  out.top_logprobs = optional_count(own, "top_logprobs");
  out.prompt_logprobs = optional_count(own, "prompt_logprobs");
  out.processed_logprobs = own.boolean("processed_logprobs");
  if (own.is_set("parameters"))
    out = with_parameters(std::move(out), own.string("parameters"));
  runtime::validate(out);
  return out;
}

} // namespace ganglion::apps

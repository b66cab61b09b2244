// Request bodies: what is read, what is refused, and by which name.
#include "apps/lmi/parameter_table.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using ganglion::testing::contains;
using ganglion::testing::error_text;

namespace {

invocation with(const std::string &parameters, bool strict = false) {
  return parse_invocation(
      R"({"inputs": "Hi", "parameters": {)" + parameters + "}}", strict);
}

std::string refusal(const std::string &body, bool strict = false) {
  return error_text([&] { parse_invocation(body, strict); });
}

std::string refusal_of(const std::string &parameters) {
  return error_text([&] { with(parameters); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(lmi_invocation)

BOOST_AUTO_TEST_CASE(defaults) {
  const auto call = parse_invocation(R"({"inputs": "Hi"})", false);
  BOOST_TEST(call.request.prompt == "Hi");
  BOOST_TEST(!call.stream);
  BOOST_TEST(!call.details);
  BOOST_TEST(!call.return_full_text);
  BOOST_TEST(!call.request.sampling.do_sample);
  BOOST_TEST(call.request.sampling.temperature == 1.0f);
  BOOST_TEST(call.request.sampling.top_k == 0);
  BOOST_TEST(call.request.sampling.top_p == 1.0f);
  BOOST_TEST(call.request.sampling.repetition_penalty == 1.0f);
  BOOST_TEST(call.request.max_new_tokens == 0); // the engine's default
  BOOST_TEST(!call.request.seed.has_value());
  BOOST_TEST(!call.request.ignore_eos);
  BOOST_TEST(call.request.skip_special_tokens);
  BOOST_TEST(call.ignored.empty());
}

BOOST_AUTO_TEST_CASE(every_parameter_has_an_effect) {
  BOOST_TEST(with(R"("max_new_tokens": 7)").request.max_new_tokens == 7);
  BOOST_TEST(with(R"("do_sample": true)").request.sampling.do_sample);
  BOOST_TEST(with(R"("temperature": 0.5)").request.sampling.temperature ==
             0.5f);
  BOOST_TEST(with(R"("temperature": 2)").request.sampling.temperature == 2.0f);
  BOOST_TEST(with(R"("top_k": 9)").request.sampling.top_k == 9);
  BOOST_TEST(with(R"("top_p": 0.5)").request.sampling.top_p == 0.5f);
  BOOST_TEST(with(R"("repetition_penalty": 1.5)")
                 .request.sampling.repetition_penalty == 1.5f);
  BOOST_TEST(with(R"("seed": 11)").request.seed.value() == 11u);
  BOOST_TEST(with(R"("stop": "a")").request.stop ==
             std::vector<std::string>{"a"});
  BOOST_TEST(with(R"("stop_sequences": ["a", "b"])").request.stop ==
             (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(with(R"("stop_token_ids": 3)").request.stop_token_ids ==
             std::vector<std::int32_t>{3});
  BOOST_TEST(with(R"("stop_token_ids": [3, 4])").request.stop_token_ids ==
             (std::vector<std::int32_t>{3, 4}));
  BOOST_TEST(with(R"("ignore_eos": true)").request.ignore_eos);
  BOOST_TEST(with(R"("ignore_eos_token": true)").request.ignore_eos);
  BOOST_TEST(
      !with(R"("skip_special_tokens": false)").request.skip_special_tokens);
  BOOST_TEST(with(R"("details": true)").details);
  BOOST_TEST(with(R"("return_full_text": true)").return_full_text);
  for (const char *name : {"top_n_tokens", "logprobs"})
    BOOST_TEST(
        with("\"" + std::string(name) + "\": 5").request.top_logprobs.value() ==
        5);
  BOOST_TEST(with(R"("decoder_input_details": true)")
                 .request.prompt_logprobs.value() == 0);
  BOOST_TEST(with(R"("prompt_logprobs": 2, "decoder_input_details": true)")
                 .request.prompt_logprobs.value() == 2);
  BOOST_TEST(with(R"("processed_logprobs": true)").request.processed_logprobs);
  using sampling = runtime::sampling_parameters;
  const std::pair<const char *, float sampling::*> numbers[] = {
      {"min_p", &sampling::min_p},
      {"typical_p", &sampling::typical_p},
      {"epsilon_cutoff", &sampling::epsilon_cutoff},
      {"eta_cutoff", &sampling::eta_cutoff},
      {"top_n_sigma", &sampling::top_n_sigma},
      {"frequency_penalty", &sampling::frequency_penalty},
      {"presence_penalty", &sampling::presence_penalty},
  };
  for (const auto &[name, member] : numbers) {
    const auto call = with("\"" + std::string(name) + "\": 0.5");
    BOOST_TEST((call.request.sampling.*member == 0.5f), name);
  }
  const auto parameters = [](const char *text) {
    return with(text).request.sampling;
  };
  BOOST_TEST(parameters(R"("no_repeat_ngram_size": 3)").no_repeat_ngram_size ==
             3);
  BOOST_TEST(parameters(R"("min_new_tokens": 4)").min_new_tokens == 4);
  const auto biased = parameters(R"("logit_bias": {"5": 1, "17": -2.5})");
  BOOST_REQUIRE(biased.rules->logit_bias.size() == 2u);
  BOOST_TEST(biased.rules->logit_bias[1].token == 17);
  BOOST_TEST(biased.rules->logit_bias[1].bias == -2.5f);
  using ids = std::vector<std::int32_t>;
  BOOST_TEST(
      (parameters(R"("bad_words_ids": [[1], [2, 3]])").rules->bad_words_ids ==
       std::vector<ids>{{1}, {2, 3}}));
  const std::pair<const char *, ids runtime::token_rules::*> lists[] = {
      {"allowed_token_ids", &runtime::token_rules::allowed_token_ids},
      {"suppress_tokens", &runtime::token_rules::suppress_tokens},
      {"begin_suppress_tokens", &runtime::token_rules::begin_suppress_tokens},
      {"forced_eos_token_id", &runtime::token_rules::forced_eos_token_id},
  };
  for (const auto &[name, member] : lists) {
    const auto call = with("\"" + std::string(name) + "\": [4, 5]");
    BOOST_TEST(((*call.request.sampling.rules).*member == ids{4, 5}), name);
  }
  BOOST_TEST(
      (parameters(R"("forced_bos_token_id": 6)").rules->forced_bos_token_id ==
       6));
  BOOST_TEST(with(R"("include_stop_str_in_output": true)")
                 .request.include_stop_str_in_output);
  BOOST_TEST((with(R"("timeout": 1.5)").request.timeout ==
              std::chrono::milliseconds(1500)));
  BOOST_TEST(
      parse_invocation(R"({"inputs": "Hi", "stream": true})", false).stream);
}

BOOST_AUTO_TEST_CASE(wrong_types_are_refused_by_name) {
  for (const auto &row : lmi_parameters()) {
    const std::string name(row.name);
    if (name == "guided_json")
      continue; // a schema that the engine refuses
    const auto text = refusal_of("\"" + name + "\": {\"a\": 1}");
    BOOST_TEST((contains(text, "parameters." + name + ":") ||
                contains(text, "parameters." + name + ".")),
               text);
  }
}

BOOST_AUTO_TEST_CASE(bad_values_are_refused_by_name) {
  const std::pair<const char *, const char *> cases[] = {
      {R"("max_new_tokens": 0)", "max_new_tokens"},
      {R"("max_new_tokens": -1)", "max_new_tokens"},
      {R"("max_new_tokens": 1.5)", "max_new_tokens"},
      {R"("max_new_tokens": "7")", "max_new_tokens"},
      {R"("temperature": 0)", "temperature"},
      {R"("temperature": 1e300)", "temperature"},
      {R"("top_k": -1)", "top_k"},
      {R"("top_k": 99999999999)", "top_k"},
      {R"("top_p": 0)", "top_p"},
      {R"("top_p": 1.1)", "top_p"},
      {R"("repetition_penalty": -1)", "repetition_penalty"},
      {R"("seed": -1)", "seed"},
      {R"("seed": 1e3)", "seed"},
      {R"("stop": [1])", "stop[0]"},
      {R"("stop": "")", "stop"},
      {R"("stop_token_ids": [-1])", "stop_token_ids[0]"},
      {R"("do_sample": 1)", "do_sample"},
      {R"("details": "yes")", "details"},
  };
  for (const auto &[parameters, field] : cases) {
    const auto text = refusal_of(parameters);
    BOOST_TEST(contains(text, "invalid_argument: "), parameters << text);
    BOOST_TEST(contains(text, field), parameters << text);
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_implemented_is_refused_when_it_matters) {
  const std::pair<const char *, const char *> harmless[] = {
      {"spaces_between_special_tokens", "true"},
      {"logprobs", "null"},
  };
  for (const auto &[name, value] : harmless)
    BOOST_TEST(with(std::string("\"") + name + "\": " + value).ignored.empty());
  const std::pair<const char *, const char *> effective[] = {
      {"spaces_between_special_tokens", "false"},
      {"truncate", "5"},
  };
  for (const auto &[name, value] : effective) {
    const auto text = refusal_of(std::string("\"") + name + "\": " + value);
    BOOST_TEST(
        contains(text, std::string("unsupported: request: parameters.") + name),
        text);
  }
}

BOOST_AUTO_TEST_CASE(unknown_names_are_told_or_refused) {
  const std::string body = R"({"inputs": "Hi", "model": "x", "extra": 1,
      "parameters": {"temprature": 1, "stream": true}})";
  const auto call = parse_invocation(body, false);
  // "model" has no effect by contract; "stream" counts at the top only.
  BOOST_TEST(call.ignored ==
             (std::vector<std::string>{"extra", "temprature", "stream"}));
  BOOST_TEST(!call.stream);
  const auto text = refusal(body, true);
  BOOST_TEST(contains(text, "'extra', 'temprature', 'stream'"), text);
}

BOOST_AUTO_TEST_CASE(bodies_that_are_no_request) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "corrupt_data"},
      {"{", "corrupt_data"},
      {"{\"inputs\": \"\xff\"}", "corrupt_data"},
      {"[]", "invalid_argument"},
      {"\"Hi\"", "invalid_argument"},
      {"{}", "inputs: required but missing"},
      {R"({"inputs": null})", "inputs: required but missing"},
      {R"({"inputs": 5})", "inputs: expected a string, found a number"},
      {R"({"inputs": ["a", "b"]})", "inputs: expected a string"},
      {R"({"inputs": "Hi", "parameters": []})",
       "parameters: expected an object"},
      {R"({"inputs": "Hi", "stream": "yes"})", "stream: expected a boolean"},
      {R"({"messages": []})", "unsupported: request: messages"},
      {R"({"inputs": "Hi", "adapters": "a"})", "unsupported"},
  };
  for (const auto &[body, part] : cases) {
    const auto text = refusal(body);
    BOOST_TEST(contains(text, part), body << " gives " << text);
  }
  const std::string deep(5000, '[');
  BOOST_TEST(contains(refusal(deep), "corrupt_data"));
}

BOOST_AUTO_TEST_SUITE_END()

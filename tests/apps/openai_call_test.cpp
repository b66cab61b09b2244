// Bodies of the OpenAI routes: what is read, what is refused, by which name.
#include "apps/openai/field_table.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using ganglion::testing::contains;
using ganglion::testing::error_text;

namespace {

constexpr auto completions = openai_route::completions;

openai_call with(const std::string &fields) {
  return parse_openai_call(completions, R"({"prompt": "Hi", )" + fields + "}");
}

std::string refusal_of(const std::string &fields) {
  return error_text([&] { with(fields); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(openai_call)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_openai) {
  const auto call = parse_openai_call(completions, R"({"prompt": "Hi"})");
  BOOST_REQUIRE(call.prompts.size() == 1u);
  BOOST_TEST(call.prompts[0].prompt == "Hi");
  BOOST_TEST(call.request.max_new_tokens == 16);
  BOOST_TEST(call.request.sampling.do_sample);
  BOOST_TEST(call.request.sampling.temperature == 1.0f);
  BOOST_TEST(call.request.sampling.top_p == 1.0f);
  BOOST_TEST(call.request.add_special_tokens);
  BOOST_TEST(!call.request.seed.has_value());
  BOOST_TEST(call.n == 1);
  BOOST_TEST(call.tries() == 1u);
  BOOST_TEST(!call.stream);
  BOOST_TEST(!call.echo);
}

BOOST_AUTO_TEST_CASE(every_field_has_an_effect) {
  BOOST_TEST(with(R"("model": "m")").model == "m");
  BOOST_TEST(with(R"("n": 3)").n == 3);
  BOOST_TEST(with(R"("best_of": 4)").tries() == 4u);
  BOOST_TEST(with(R"("stream": true)").stream);
  BOOST_TEST(
      with(R"("stream": true, "stream_options": {"include_usage": true})")
          .include_usage);
  BOOST_TEST(with(R"("echo": true)").echo);
  BOOST_TEST(with(R"("max_tokens": 7)").request.max_new_tokens == 7);
  BOOST_TEST(with(R"("echo": true, "max_tokens": 0)").request.prompt_only);
  BOOST_TEST(with(R"("logprobs": 2)").request.top_logprobs.value() == 2);
  BOOST_TEST(
      with(R"("logprobs": 2, "echo": true)").request.prompt_logprobs.value() ==
      2);
  BOOST_TEST(with(R"("temperature": 0.5)").request.sampling.temperature ==
             0.5f);
  BOOST_TEST(!with(R"("temperature": 0)").request.sampling.do_sample);
  BOOST_TEST(with(R"("top_p": 0.5)").request.sampling.top_p == 0.5f);
  BOOST_TEST(!with(R"("top_p": 0)").request.sampling.do_sample);
  BOOST_TEST(with(R"("top_k": 9)").request.sampling.top_k == 9);
  BOOST_TEST(with(R"("top_k": -1)").request.sampling.top_k == 0);
  BOOST_TEST(with(R"("repetition_penalty": 1.5)")
                 .request.sampling.repetition_penalty == 1.5f);
  BOOST_TEST(
      with(R"("frequency_penalty": 0.5)").request.sampling.frequency_penalty ==
      0.5f);
  BOOST_TEST(
      with(R"("presence_penalty": -2)").request.sampling.presence_penalty ==
      -2.0f);
  BOOST_TEST(with(R"("min_p": 0.1)").request.sampling.min_p == 0.1f);
  BOOST_TEST(with(R"("min_tokens": 3)").request.sampling.min_new_tokens == 3);
  const auto biased = with(R"("logit_bias": {"5": -100, "6": 1.5})");
  const auto &biases = biased.request.sampling.rules->logit_bias;
  BOOST_REQUIRE(biases.size() == 2u);
  BOOST_TEST(biases[1].token == 6);
  BOOST_TEST(biases[1].bias == 1.5f);
  BOOST_TEST(with(R"("allowed_token_ids": [3])")
                 .request.sampling.rules->allowed_token_ids ==
             std::vector<std::int32_t>{3});
  BOOST_TEST(with(R"("include_stop_str_in_output": true)")
                 .request.include_stop_str_in_output);
  BOOST_TEST(with(R"("seed": 11)").request.seed.value() == 11u);
  BOOST_TEST(with(R"("seed": -1)").request.seed.value() == ~0ull);
  BOOST_TEST(with(R"("stop": "a")").request.stop ==
             std::vector<std::string>{"a"});
  BOOST_TEST(with(R"("stop": ["a", "b"])").request.stop ==
             (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(with(R"("stop_token_ids": [3, 4])").request.stop_token_ids ==
             (std::vector<std::int32_t>{3, 4}));
  BOOST_TEST(with(R"("ignore_eos": true)").request.ignore_eos);
  BOOST_TEST(
      !with(R"("skip_special_tokens": false)").request.skip_special_tokens);
  BOOST_TEST(with(R"("cache_salt": "s")").request.cache_salt == "s");
  BOOST_TEST(
      !with(R"("add_special_tokens": false)").request.add_special_tokens);
}

BOOST_AUTO_TEST_CASE(prompts_have_four_forms) {
  const auto prompts = [](const std::string &v) {
    return parse_openai_call(completions, "{\"prompt\": " + v + "}").prompts;
  };
  BOOST_TEST(prompts(R"("a")")[0].prompt == "a");
  BOOST_TEST(prompts(R"(["a", "b"])")[1].prompt == "b");
  BOOST_TEST(prompts("[5, 6]").size() == 1u);
  BOOST_TEST(prompts("[5, 6]")[0].prompt_ids ==
             (std::vector<std::int32_t>{5, 6}));
  BOOST_TEST(prompts("[[5], [6, 7]]")[1].prompt_ids ==
             (std::vector<std::int32_t>{6, 7}));
}

BOOST_AUTO_TEST_CASE(sequences_of_a_prompt_have_seeds_of_their_own) {
  const auto sequences = sequences_of(parse_openai_call(
      completions, R"({"prompt": ["a", "b"], "n": 2, "seed": 7})"));
  BOOST_REQUIRE(sequences.size() == 4u);
  BOOST_TEST(sequences[1].prompt == "a");
  BOOST_TEST(sequences[2].prompt == "b");
  BOOST_TEST(sequences[0].seed.value() == 7u);
  BOOST_TEST(sequences[1].seed.value() == 8u);
  BOOST_TEST(sequences[2].seed.value() == 7u);
}

BOOST_AUTO_TEST_CASE(chats) {
  const auto chat = [](const std::string &fields) {
    return parse_openai_call(
        openai_route::chat,
        R"({"messages": [{"role": "user", "content": "Hi"}])" + fields + "}");
  };
  const auto call = chat("");
  BOOST_TEST(call.messages.items().size() == 1u);
  BOOST_TEST(call.request.max_new_tokens == 0); // to the end
  BOOST_TEST(!call.request.add_special_tokens);
  BOOST_TEST(call.add_generation_prompt);
  BOOST_TEST(!call.wants_logprobs());
  BOOST_TEST(chat(R"(, "max_tokens": 3)").request.max_new_tokens == 3);
  BOOST_TEST(chat(R"(, "max_completion_tokens": 4)").request.max_new_tokens ==
             4);
  BOOST_TEST(chat(R"(, "logprobs": true)").wants_logprobs());
  BOOST_TEST(chat(R"(, "logprobs": true, "top_logprobs": 2)")
                 .request.top_logprobs.value() == 2);
  BOOST_TEST(
      !chat(R"(, "add_generation_prompt": false)").add_generation_prompt);
  BOOST_TEST(chat(R"(, "chat_template_kwargs": {"a": 1})").variables[0].first ==
             "a");
  for (const char *neutral :
       {R"(, "tools": [], "tool_choice": "none", "parallel_tool_calls": true)",
        R"(, "modalities": ["text"], "store": false)",
        R"(, "top_logprobs": 0, "logprobs": false)",
        R"(, "functions": [], "function_call": "none")"})
    BOOST_TEST(error_text([&] { chat(neutral); }) == "no error", neutral);
}

BOOST_AUTO_TEST_CASE(null_is_as_good_as_absent) {
  for (const auto &row : openai_fields()) {
    if (row.name == "prompt" || row.name == "messages" ||
        (row.routes & static_cast<unsigned>(completions)) == 0)
      continue;
    const auto text = refusal_of("\"" + std::string(row.name) + "\": null");
    BOOST_TEST(text == "no error");
  }
}

BOOST_AUTO_TEST_CASE(values_of_a_wrong_type_are_refused_by_name) {
  for (const auto &row : openai_fields()) {
    const bool free_form = row.name == "user" || row.name == "metadata" ||
                           row.name == "safety_identifier" ||
                           row.name == "prompt_cache_key" ||
                           row.name == "request_id" ||
                           // A schema that the engine refuses.
                           row.name == "guided_json";
    if (free_form || (row.routes & static_cast<unsigned>(completions)) == 0)
      continue;
    const std::string name(row.name);
    const auto text = refusal_of("\"" + name + "\": {\"a\": 1}");
    BOOST_TEST(contains(text, "request: " + name), text);
  }
}

BOOST_AUTO_TEST_CASE(neutral_values_pass) {
  for (const char *fields :
       {R"("suffix": "")", R"("service_tier": "auto")",
        R"("response_format": {"type": "text"})", R"("user": "u")",
        R"("metadata": {"a": "b"})", R"("priority": 0)",
        R"("stream": true, "stream_options": {"include_obfuscation": false})",
        R"("length_penalty": 1.0)", R"("spaces_between_special_tokens": true)"})
    BOOST_TEST(refusal_of(fields) == "no error", fields);
}

BOOST_AUTO_TEST_CASE(fields_that_do_not_go_together) {
  const std::pair<const char *, const char *> cases[] = {
      {R"("stream_options": {"include_usage": true})", "stream_options"},
      {R"("n": 3, "best_of": 2)", "best_of"},
      {R"("max_tokens": 0)", "max_tokens"},
      {R"("stream": true, "best_of": 2)", "best_of"},
  };
  for (const auto &[fields, name] : cases)
    BOOST_TEST(contains(refusal_of(fields), std::string("request: ") + name),
               fields);
}

BOOST_AUTO_TEST_SUITE_END()

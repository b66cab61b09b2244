// Bodies of the TGI routes: what is read, what is refused, by which name.
#include "apps/tgi/parameter_table.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using ganglion::testing::contains;
using ganglion::testing::error_text;

namespace {

tgi_call parse(const std::string &body, tgi_route route = tgi_route::generate,
               bool strict = false) {
  return parse_tgi_call(route, body, strict);
}

tgi_call with(const std::string &parameters) {
  return parse(R"({"inputs": "Hi", "parameters": {)" + parameters + "}}");
}

std::string refusal_of(const std::string &parameters) {
  return error_text([&] { with(parameters); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(tgi_call)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_tgi) {
  const auto call = parse(R"({"inputs": "Hi"})");
  BOOST_TEST(call.request.prompt == "Hi");
  BOOST_TEST(call.request.max_new_tokens == 100);
  BOOST_TEST(!call.request.sampling.do_sample);
  BOOST_TEST(!call.details);
  BOOST_TEST(!call.stream);
  BOOST_TEST(call.best_of == 1);
}

BOOST_AUTO_TEST_CASE(every_parameter_has_an_effect) {
  BOOST_TEST(with(R"("max_new_tokens": 7)").request.max_new_tokens == 7);
  BOOST_TEST(with(R"("do_sample": true)").request.sampling.do_sample);
  BOOST_TEST(with(R"("temperature": 0.5)").request.sampling.temperature ==
             0.5f);
  BOOST_TEST(with(R"("top_k": 9)").request.sampling.top_k == 9);
  BOOST_TEST(with(R"("top_p": 0.5)").request.sampling.top_p == 0.5f);
  BOOST_TEST(with(R"("repetition_penalty": 1.5)")
                 .request.sampling.repetition_penalty == 1.5f);
  BOOST_TEST(with(R"("typical_p": 0.5)").request.sampling.typical_p == 0.5f);
  BOOST_TEST(with(R"("typical_p": 0.5)").request.sampling.do_sample);
  BOOST_TEST(
      with(R"("frequency_penalty": 0.5)").request.sampling.frequency_penalty ==
      0.5f);
  BOOST_TEST(with(R"("seed": 11)").request.seed.value() == 11u);
  BOOST_TEST(with(R"("stop": ["a", "b"])").request.stop ==
             (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(with(R"("do_sample": true, "best_of": 3)").best_of == 3);
  BOOST_TEST(with(R"("details": true)").details);
  BOOST_TEST(with(R"("top_n_tokens": 2)").request.top_logprobs.value() == 2);
  BOOST_TEST(with(R"("decoder_input_details": true)")
                 .request.prompt_logprobs.value() == 0);
  BOOST_TEST(with(R"("return_full_text": true)").return_full_text);
}

BOOST_AUTO_TEST_CASE(a_warper_means_sampling) {
  for (const char *parameters :
       {R"("temperature": 0.5)", R"("top_k": 9)", R"("top_p": 0.5)",
        R"("do_sample": false, "top_k": 9)"})
    BOOST_TEST(with(parameters).request.sampling.do_sample, parameters);
  for (const char *parameters :
       {R"("temperature": 1.0)", R"("top_k": 0)", R"("top_p": 1)"})
    BOOST_TEST(!with(parameters).request.sampling.do_sample, parameters);
}

BOOST_AUTO_TEST_CASE(the_route_decides_about_streaming) {
  const std::string body = R"({"inputs": "Hi", "stream": true})";
  BOOST_TEST(parse(body, tgi_route::root).stream);
  BOOST_TEST(parse(body, tgi_route::generate_stream).stream);
  const auto call = parse(body, tgi_route::generate);
  BOOST_TEST(!call.stream);
  BOOST_TEST(call.ignored == std::vector<std::string>{"stream"});
}

BOOST_AUTO_TEST_CASE(sequences_have_seeds_of_their_own) {
  const auto sequences =
      sequences_of(with(R"("do_sample": true, "best_of": 2, "seed": 5)"));
  BOOST_REQUIRE(sequences.size() == 2u);
  BOOST_TEST(sequences[0].seed.value() == 5u);
  BOOST_TEST(sequences[1].seed.value() == 6u);
}

BOOST_AUTO_TEST_CASE(null_is_as_good_as_absent) {
  for (const auto &row : tgi_parameters())
    BOOST_TEST(refusal_of("\"" + std::string(row.name) + "\": null") ==
               "no error");
}

BOOST_AUTO_TEST_CASE(wrong_types_are_refused_by_name) {
  for (const auto &row : tgi_parameters()) {
    const std::string name(row.name);
    const auto text = refusal_of("\"" + name + "\": {\"a\": 1}");
    BOOST_TEST((contains(text, "parameters." + name + ":") ||
                contains(text, "parameters." + name + ".")),
               text);
  }
}

BOOST_AUTO_TEST_CASE(unknown_names_are_told_or_refused) {
  const std::string body =
      R"({"inputs": "Hi", "extra": 1, "parameters": {"temprature": 1}})";
  BOOST_TEST(parse(body).ignored ==
             (std::vector<std::string>{"extra", "temprature"}));
  const auto text = error_text([&] { parse(body, tgi_route::generate, true); });
  BOOST_TEST(contains(text, "'extra', 'temprature'"), text);
}

BOOST_AUTO_TEST_SUITE_END()

// Text in, text out, against what HuggingFace's tokenizer and model gave.
#include "runtime/tokenizer/tokenizer.hpp"
#include "tests/actors/engine_fixture.hpp"
#include "tests/golden.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// HuggingFace decodes the new ids alone, which drops a leading space that a
/// continuation keeps.
std::string without_leading_space(const std::string &text) {
  return text.starts_with(' ') ? text.substr(1) : text;
}

void check_texts(const std::string &directory, std::int64_t degree) {
  engine_config config;
  config.model.model_id = directory;
  config.graph.tensor_parallel_degree = degree;
  ganglion::engine e(config);
  e.wait_until_ready();
  const auto expected = json::document::load(directory + "/expected.json");
  const auto tokens = runtime::tokenizer::load(directory);
  for (const auto &item : expected.root().at("texts").items()) {
    const auto prompt = item.at("text").as_string();
    BOOST_TEST(tokens->encode(prompt) == ids_of(item.at("prompt_ids")),
               boost::test_tools::per_element());
    auto request = prompt_of(prompt, 24);
    request.ignore_eos = true;
    auto got = run(e, request);
    const auto ids = ids_of(item.at("greedy_ids"));
    BOOST_TEST(got->ids == ids, boost::test_tools::per_element());
    BOOST_TEST(tokens->decode(ids, true) ==
               item.at("text_ignoring_eos_skip_special").as_string());
    request.ignore_eos = false;
    got = run(e, request);
    BOOST_TEST(got->ids == ids_of(item.at("ids_until_eos")),
               boost::test_tools::per_element());
    const auto text = item.at("text_until_eos_skip_special").as_string();
    BOOST_TEST(without_leading_space(got->text) == without_leading_space(text));
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(e2e)

BOOST_AUTO_TEST_CASE(gpt2) {
  check_texts(fixture("e2e/e2e-gpt2"), 1);
  check_texts(fixture("e2e/e2e-gpt2"), 2);
}

BOOST_AUTO_TEST_CASE(llama_chat_models) {
  for (const char *name : {"e2e-llama2-chat", "e2e-llama3-chat"}) {
    const std::string directory = goldens() + "/e2e/" + name;
    if (goldens().empty() || !std::filesystem::exists(directory)) {
      BOOST_TEST_MESSAGE("skipped: set GANGLION_GOLDENS to test " << name);
      continue;
    }
    check_texts(directory, 1);
    check_texts(directory, 2);
  }
}

BOOST_AUTO_TEST_SUITE_END()

#include "runtime/tokenizer/detokenizer.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/tokenizer_goldens.hpp"

#include <random>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

tokenizer_ptr load(const std::string &name) {
  return runtime::tokenizer::load(fixture("tokenizers/" + name));
}

} // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_detokenizer)

BOOST_AUTO_TEST_CASE(random_ids_stream_as_they_decode) {
  std::mt19937 random(5);
  for (const auto *name :
       {"own-llama2", "own-llama3", "own-mistral", "own-neox", "own-opt",
        "own-unigram", "own-unigram-nfkc"}) {
    const auto tokens = load(name);
    const auto range = static_cast<unsigned>(tokens->vocab_size()) + 5;
    for (int round = 0; round < 200; ++round) {
      id_list ids;
      for (auto n = random() % 30; n > 0; --n)
        ids.push_back(static_cast<std::int32_t>(random() % range) - 2);
      for (const bool skip : {true, false})
        BOOST_REQUIRE(stream(tokens, ids, skip) == tokens->decode(ids, skip));
    }
  }
}

BOOST_AUTO_TEST_CASE(characters_come_whole_and_early) {
  const auto tokens = load("own-llama3");
  const auto ids = tokens->encode("日é!", false);
  BOOST_REQUIRE(ids.size() > 3); // the characters are not in the vocabulary
  runtime::detokenizer detokenizer(tokens, true);
  std::string out;
  for (const auto id : ids)
    out += detokenizer.push(id);
  BOOST_TEST(out == "日é!"); // nothing waits for the end
  BOOST_TEST(detokenizer.finish() == "");
}

BOOST_AUTO_TEST_CASE(byte_tokens_wait_for_the_end_of_their_run) {
  const auto tokens = load("own-llama2");
  const auto newline = tokens->id_of("<0x0A>").value();
  const auto broken = tokens->id_of("<0xFF>").value();
  const auto word = tokens->id_of("▁the").value();
  runtime::detokenizer good(tokens, true);
  BOOST_TEST(good.push(newline) == "");
  BOOST_TEST(good.pending() == "\n");
  BOOST_TEST(good.push(word) == "\n the");
  runtime::detokenizer bad(tokens, true);
  BOOST_TEST(bad.push(newline) == "");
  BOOST_TEST(bad.push(broken) == "");
  BOOST_TEST(bad.finish() == "\uFFFD\uFFFD");
}

BOOST_AUTO_TEST_CASE(long_texts_take_linear_time) {
  // Quadratic work on a million ids would take hours.
  const auto tokens = load("own-llama2");
  const auto word = tokens->id_of("▁the").value();
  runtime::detokenizer detokenizer(tokens, true);
  std::size_t length = 0;
  for (int i = 0; i < 1000000; ++i)
    length += detokenizer.push(word).size();
  BOOST_TEST(length == 4 * 1000000 - 1);
}

BOOST_AUTO_TEST_SUITE_END()

#include "runtime/tokenizer/tokenizer.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/scratch_directory.hpp"
#include "tests/runtime/tokenizer_goldens.hpp"

#include <boost/test/data/test_case.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

const std::vector<std::string> own{
    "own-bloom",     "own-gpt2",    "own-gpt2-prefixspace",
    "own-llama2",    "own-llama3",  "own-mistral",
    "own-neox",      "own-opt",     "own-qwen",
    "own-starcoder", "own-unigram", "own-unigram-nfkc"};
const std::vector<std::string> published{
    "gpt2", "gpt_neox", "llama2", "mistral-v1", "opt", "starcoder2"};
const std::vector<std::string> with_sentencepiece{"own-llama2", "own-mistral",
                                                  "own-unigram"};
const std::vector<std::string> with_merges{"own-gpt2", "own-opt"};

tokenizer_ptr load(const std::string &directory) {
  return runtime::tokenizer::load(directory);
}

std::string own_directory(const std::string &name) {
  return fixture("tokenizers/" + name);
}

// A directory with only the files of `from` that are named.
class partial_copy {
public:
  partial_copy(const std::string &from, const std::vector<std::string> &files) {
    for (const auto &file : files)
      std::filesystem::copy(std::filesystem::path(from) / file, copy_ / file);
  }
  const std::string &path() const { return copy_.path(); }

private:
  scratch_directory copy_;
};

void check_model_file(const std::string &directory) {
  const partial_copy copy(directory,
                          {"tokenizer.model", "tokenizer_config.json"});
  check_goldens(load(copy.path()), directory);
}

} // namespace

BOOST_AUTO_TEST_SUITE(tokenizer)

BOOST_DATA_TEST_CASE(own_tokenizers_equal_huggingface,
                     boost::unit_test::data::make(own), name) {
  const auto directory = own_directory(name);
  check_goldens(load(directory), directory);
}

BOOST_DATA_TEST_CASE(sentencepiece_models_equal_huggingface,
                     boost::unit_test::data::make(with_sentencepiece), name) {
  check_model_file(own_directory(name));
}

BOOST_DATA_TEST_CASE(vocab_and_merges_equal_huggingface,
                     boost::unit_test::data::make(with_merges), name) {
  const auto directory = own_directory(name);
  const partial_copy copy(
      directory, {"vocab.json", "merges.txt", "tokenizer_config.json"});
  check_goldens(load(copy.path()), directory);
}

BOOST_DATA_TEST_CASE(published_tokenizers_equal_huggingface,
                     boost::unit_test::data::make(published), name) {
  if (goldens().empty()) {
    BOOST_TEST_MESSAGE("skipped: GANGLION_GOLDENS is not set");
    return;
  }
  const auto directory = goldens() + "/tokenizers/" + name;
  check_goldens(load(directory), directory);
  if (std::filesystem::exists(directory + "/tokenizer.model"))
    check_model_file(directory);
}

BOOST_AUTO_TEST_CASE(shipped_model_from_both_files) {
  const auto expected = json::document::load(stories260k() + "/expected.json");
  const partial_copy copy(stories260k(),
                          {"tokenizer.model", "tokenizer_config.json"});
  for (const auto &directory : {stories260k(), copy.path()}) {
    const auto tokens = load(directory);
    for (const auto &item : expected.root().items())
      BOOST_TEST(tokens->encode(item.at("prompt").as_string_view()) ==
                     read_ids(item.at("ids")),
                 boost::test_tools::per_element());
    BOOST_TEST(tokens->vocab_size() == 512);
  }
}

BOOST_AUTO_TEST_CASE(knows_its_tokens) {
  const auto tokens = load(own_directory("own-llama3"));
  BOOST_TEST(tokens->vocab_size() == 862);
  BOOST_TEST(tokens->bos_token_id().value() == 856);
  BOOST_TEST(tokens->eos_token_ids() == id_list{860},
             boost::test_tools::per_element());
  BOOST_TEST(tokens->named_token("eos_token").value() == "<|eot_id|>");
  BOOST_TEST(!tokens->named_token("pad_token"));
  BOOST_TEST(tokens->id_of("<|end_of_text|>").value() == 857);
  BOOST_TEST(!tokens->id_of("no such token"));
  BOOST_TEST(tokens->token_of(0).value() == "!");
  BOOST_TEST(!tokens->token_of(-1));
  BOOST_TEST(!tokens->token_of(862));
  BOOST_TEST(tokens->is_special(856));
  BOOST_TEST(!tokens->is_special(0));
  BOOST_TEST(!tokens->is_special(1 << 30));
}

BOOST_AUTO_TEST_CASE(ids_without_a_token_are_left_out) {
  const auto tokens = load(own_directory("own-gpt2"));
  const id_list ids{-1, 0, 757, 2147483647, 1, -2147483647};
  BOOST_TEST(tokens->decode(ids, false) == "!\"");
  BOOST_TEST(stream(tokens, ids, false) == "!\"");
}

BOOST_AUTO_TEST_CASE(broken_utf8_counts_as_replacement_characters) {
  for (const auto &name : own) {
    const auto tokens = load(own_directory(name));
    BOOST_TEST(tokens->encode("a\xFF b\xE2\x82 c\xF0\x9F") ==
                   tokens->encode("a\uFFFD b\uFFFD c\uFFFD"),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_batch_is_each_of_its_texts) {
  const auto tokens = load(own_directory("own-qwen"));
  std::vector<std::string> texts;
  for_each_line(own_directory("own-qwen") + "/cases.jsonl",
                [&](const json::value &line) {
                  texts.push_back(line.at("text").as_string());
                });
  for (const bool special : {true, false}) {
    const auto batch = tokens->encode_batch(texts, special);
    BOOST_REQUIRE(batch.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      BOOST_TEST(batch[i] == tokens->encode(texts[i], special),
                 boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(single_tokens_as_they_read_inside_a_text) {
  for (const auto &name : own) {
    const auto tokens = load(own_directory(name));
    const auto a = tokens->encode("a", false).back();
    const auto before = tokens->decode(std::vector{a}, false);
    for (std::int32_t id = 0; id < tokens->vocab_size(); ++id) {
      const auto bytes = tokens->odd_bytes_of(id);
      if (bytes.empty())
        BOOST_TEST(tokens->decode(std::vector{a, id}, false) ==
                       before + tokens->text_of(id),
                   name << " " << id);
      else
        BOOST_TEST(tokens->text_of(id).find("\xEF\xBF\xBD") !=
                       std::string::npos,
                   name << " " << id);
    }
  }
  const auto llama = load(own_directory("own-llama2"));
  const auto byte = llama->id_of("<0xE2>").value();
  BOOST_TEST(llama->odd_bytes_of(byte) == "\xE2");
  BOOST_TEST(llama->odd_bytes_of(llama->id_of("<0x41>").value()).empty());
  const auto bloom = load(own_directory("own-bloom"));
  BOOST_TEST(bloom->text_of(-1).empty());
}

BOOST_AUTO_TEST_SUITE_END()

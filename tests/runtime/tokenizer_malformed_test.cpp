#include "hlo/support/error.hpp"
#include "runtime/tokenizer/file.hpp"
#include "runtime/tokenizer/wide_integers.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/scratch_directory.hpp"
#include "tests/runtime/tokenizer_goldens.hpp"

#include <random>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

std::string tokenizer_file(const std::string &name, const std::string &file) {
  return runtime::read_file(fixture("tokenizers/" + name + "/" + file));
}

tokenizer_ptr from_json(const std::string &text) {
  return runtime::tokenizer::from_json(text, "tokenizer.json");
}

// Loading `text` throws an error with this field, or works and encodes.
void check_survives(const std::string &text) {
  try {
    const auto tokens = from_json(text);
    const auto ids = tokens->encode("Hello, wörld 123 \n <s>");
    tokens->decode(ids, true);
  } catch (const error &) {
  }
}

void check_error(const std::string &text, error_code code,
                 const std::string &field) {
  BOOST_TEST_CONTEXT(text.substr(0, 300)) {
    try {
      from_json(text);
      BOOST_ERROR("no error");
    } catch (const error &e) {
      BOOST_TEST(to_string(e.code()) == to_string(code));
      BOOST_TEST(e.field() == field);
      BOOST_TEST(e.where() == "tokenizer.json");
    }
  }
}

std::string bpe(const std::string &vocab, const std::string &merges,
                const std::string &more = "") {
  return R"({"model":{"type":"BPE","vocab":)" + vocab + R"(,"merges":)" +
         merges + more + "}}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_malformed)

BOOST_AUTO_TEST_CASE(cut_off_files_are_errors) {
  for (const auto *name : {"own-llama3", "own-llama2", "own-unigram-nfkc"}) {
    const auto text = tokenizer_file(name, "tokenizer.json");
    for (std::size_t i = 0; i < 100; ++i)
      BOOST_CHECK_THROW(from_json(text.substr(0, text.size() * i / 100)),
                        error);
  }
}

BOOST_AUTO_TEST_CASE(damaged_files_never_crash) {
  std::mt19937 random(11);
  for (const auto *name : {"own-llama3", "own-llama2", "own-unigram-nfkc"}) {
    const auto text = tokenizer_file(name, "tokenizer.json");
    for (int i = 0; i < 150; ++i) {
      auto damaged = text;
      for (auto n = 1 + random() % 4; n > 0; --n)
        damaged[random() % damaged.size()] =
            static_cast<char>(' ' + random() % 95);
      check_survives(damaged);
    }
  }
}

BOOST_AUTO_TEST_CASE(wrong_models_name_the_field) {
  using enum error_code;
  check_error("{}", invalid_argument, "model");
  check_error("[]", invalid_argument, "");
  check_error(R"({"model":{"type":"WordPiece"}})", unsupported, "model.type");
  check_error(R"({"model":{"type":7}})", invalid_argument, "model.type");
  check_error(bpe("[]", "[]"), invalid_argument, "model.vocab");
  check_error(bpe(R"({"a":"b"})", "[]"), invalid_argument, "model.vocab.a");
  check_error(bpe(R"({"a":-1})", "[]"), corrupt_data, "model.vocab");
  check_error(bpe(R"({"a":4000000000})", "[]"), corrupt_data, "model.vocab");
  check_error(bpe(R"({"a":0,"b":0})", "[]"), corrupt_data, "model.vocab");
  check_error(bpe(R"({"a":0})", R"(["a a"])"), corrupt_data, "model.merges[0]");
  check_error(bpe(R"({"a":0,"aa":1})", R"(["a a","a x"])"), corrupt_data,
              "model.merges[1]");
  check_error(bpe(R"({"a":0})", R"(["aa"])"), corrupt_data, "model.merges[0]");
  check_error(bpe(R"({"a":0})", R"([["a"]])"), corrupt_data, "model.merges[0]");
  check_error(bpe(R"({"a":0})", R"([1])"), invalid_argument, "model.merges[0]");
  check_error(bpe(R"({"a":0})", "[]", R"(,"unk_token":"u")"), corrupt_data,
              "model.unk_token");
  check_error(bpe(R"({"a":0})", "[]", R"(,"dropout":0.1)"), unsupported,
              "model.dropout");
  check_error(R"({"model":{"type":"Unigram","vocab":[["a"]]}})", corrupt_data,
              "model.vocab[0]");
  check_error(R"({"model":{"type":"Unigram","vocab":[["a",0]],"unk_id":1}})",
              corrupt_data, "model.unk_id");
}

BOOST_AUTO_TEST_CASE(wrong_components_name_the_field) {
  using enum error_code;
  const auto with = [](const std::string &component) {
    return R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[]},)" +
           component + "}";
  };
  check_error(with(R"("normalizer":{"type":"Replace",
    "pattern":{"String":""},"content":"x"})"),
              invalid_argument, "normalizer.pattern.String");
  check_error(with(R"("normalizer":{"type":"Precompiled",
    "precompiled_charsmap":"AAAA"})"),
              corrupt_data, "normalizer.precompiled_charsmap");
  check_error(with(R"("normalizer":{"type":"Nmt"})"), unsupported,
              "normalizer.type");
  check_error(with(R"("pre_tokenizer":{"type":"Split","behavior":"Isolated",
    "pattern":{"Regex":"["}})"),
              invalid_argument, "pre_tokenizer.pattern.Regex");
  check_error(with(R"("pre_tokenizer":{"type":"Metaspace",
    "replacement":"ab"})"),
              invalid_argument, "pre_tokenizer.replacement");
  check_error(with(R"("decoder":{"type":"Strip","content":"","start":1,
    "stop":0})"),
              invalid_argument, "decoder.content");
  check_error(with(R"("decoder":{"type":"Strip","content":"a","start":-1,
    "stop":0})"),
              invalid_argument, "decoder.start");
  check_error(with(R"("post_processor":{"type":"TemplateProcessing",
    "single":[],"special_tokens":{}})"),
              unsupported, "post_processor.single");
  check_error(with(R"("post_processor":{"type":"TemplateProcessing",
    "single":[{"SpecialToken":{"id":"x"}}],"special_tokens":{}})"),
              invalid_argument, "post_processor.special_tokens.x");
  check_error(with(R"("added_tokens":[{"id":1}])"), invalid_argument,
              "added_tokens[0].content");
}

BOOST_AUTO_TEST_CASE(directories_without_a_tokenizer) {
  const scratch_directory empty;
  try {
    runtime::tokenizer::load(empty.path());
    BOOST_FAIL("no error");
  } catch (const error &e) {
    BOOST_TEST((e.code() == error_code::not_found));
    BOOST_TEST(e.where() == empty.path());
  }
}

BOOST_AUTO_TEST_CASE(damaged_sentencepiece_models_are_errors) {
  const auto bytes = tokenizer_file("own-llama2", "tokenizer.model");
  const scratch_directory directory;
  const auto load = [&](const std::string &damaged) {
    directory.write("tokenizer.model", damaged);
    return runtime::tokenizer::load(directory.path());
  };
  BOOST_TEST(load(bytes)->vocab_size() == 800);
  for (std::size_t i = 0; i < 20; ++i)
    BOOST_CHECK_THROW(load(bytes.substr(0, i * bytes.size() / 20)), error);
  BOOST_CHECK_THROW(load("not a model"), error);
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    auto damaged = bytes;
    damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      load(damaged)->encode("Hello");
    } catch (const error &) {
    }
  }
}

BOOST_AUTO_TEST_CASE(sentencepiece_models_with_a_table_are_refused) {
  const scratch_directory directory;
  directory.write("tokenizer.model",
                  tokenizer_file("own-unigram-nfkc", "tokenizer.model"));
  try {
    runtime::tokenizer::load(directory.path());
    BOOST_FAIL("no error");
  } catch (const error &e) {
    BOOST_TEST((e.code() == error_code::unsupported));
    BOOST_TEST(e.field() == "normalizer_spec.precompiled_charsmap");
  }
}

BOOST_AUTO_TEST_CASE(configuration_files_of_the_wrong_form) {
  const scratch_directory directory;
  directory.write("tokenizer.json", bpe(R"({"a":0})", "[]"));
  const auto field_of = [&](const std::string &config) -> std::string {
    directory.write("tokenizer_config.json", config);
    try {
      runtime::tokenizer::load(directory.path());
    } catch (const error &e) {
      return e.field();
    }
    return "none";
  };
  BOOST_TEST(field_of("{}") == "none");
  BOOST_TEST(field_of(R"({"legacy":"yes"})") == "legacy");
  BOOST_TEST(field_of(R"({"bos_token":{}})") == "bos_token.content");
  BOOST_TEST(field_of(R"({"added_tokens_decoder":[]})") ==
             "added_tokens_decoder");
  BOOST_TEST(field_of("{\"model_max_length\":"
                      "1000000000000000019884624838656}") == "none");
}

BOOST_AUTO_TEST_CASE(wide_integers) {
  const auto wide = runtime::wide_integers_as_reals;
  const std::string digits(31, '1');
  BOOST_TEST(wide("[" + digits + ", 12]") == "[" + digits + ".0, 12]");
  BOOST_TEST(wide("[-" + digits + "]") == "[-" + digits + ".0]");
  BOOST_TEST(wide("[" + digits + "e3]") == "[" + digits + "e3]");
  BOOST_TEST(wide("[0." + digits + "]") == "[0." + digits + "]");
  BOOST_TEST(wide("[\"" + digits + "\\\"" + digits + "\"]") ==
             "[\"" + digits + "\\\"" + digits + "\"]");
  BOOST_TEST(wide("\"" + digits) == "\"" + digits);
}

BOOST_AUTO_TEST_CASE(texts_that_are_too_long_are_refused) {
  const auto tokens = from_json(bpe(R"({"a":0})", "[]"));
  const std::string long_text(runtime::tokenizer::max_text_bytes + 1, 'a');
  BOOST_CHECK_THROW(tokens->encode(long_text), error);
}

BOOST_AUTO_TEST_SUITE_END()

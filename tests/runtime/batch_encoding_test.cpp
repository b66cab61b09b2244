// Batches of texts: padding, truncation and masks as HuggingFace's tokenizers
// make them.
#include "runtime/tokenizer/auto_tokenizer.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

const std::vector<std::string> texts = {
    "Once upon a time there was a little girl", "Once", "", "Lily's mom said"};

auto_tokenizer story_tokenizer() {
  return auto_tokenizer::from_pretrained(stories260k());
}

/// The tokens of row `i` that the mask says are real.
std::vector<std::int32_t> real_tokens(const batch_encoding &batch,
                                      std::size_t i) {
  std::vector<std::int32_t> out;
  BOOST_REQUIRE(batch.input_ids[i].size() == batch.attention_mask[i].size());
  for (std::size_t j = 0; j < batch.input_ids[i].size(); ++j)
    if (batch.attention_mask[i][j])
      out.push_back(batch.input_ids[i][j]);
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(batch_encoding)

BOOST_AUTO_TEST_CASE(rows_are_what_the_tokenizer_makes_of_each_text) {
  const auto tokenizer = story_tokenizer();
  const auto batch = tokenizer(texts);
  BOOST_REQUIRE(batch.input_ids.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    BOOST_TEST(batch.input_ids[i] == tokenizer.tokens()->encode(texts[i]),
               boost::test_tools::per_element());
    BOOST_TEST(real_tokens(batch, i) == batch.input_ids[i]);
  }
  const auto bare = tokenizer(texts, {.add_special_tokens = false});
  BOOST_TEST(bare.input_ids[1] == tokenizer.tokens()->encode("Once", false));
  BOOST_TEST(bare.input_ids[2].empty());
  BOOST_TEST(tokenizer(std::vector<std::string>{}).input_ids.empty());
}

BOOST_AUTO_TEST_CASE(pads_to_the_longest_row_at_either_side) {
  const auto tokenizer = story_tokenizer();
  const auto plain = tokenizer(texts);
  const auto width = plain.input_ids[0].size();
  for (const auto side : {text_side::left, text_side::right}) {
    const auto batch =
        tokenizer(texts, {.padding = padding::longest, .padding_side = side});
    for (std::size_t i = 0; i < texts.size(); ++i) {
      BOOST_TEST(batch.input_ids[i].size() == width);
      BOOST_TEST(real_tokens(batch, i) == plain.input_ids[i]);
    }
    // Neither pad token nor anything else named: the end of text pads.
    const bool left = side == text_side::left;
    const auto &ids = batch.input_ids[1];
    BOOST_TEST((left ? ids.front() : ids.back()) == 2);
    const auto &mask = batch.attention_mask[1];
    BOOST_TEST((left ? mask.front() : mask.back()) == 0);
    BOOST_TEST((left ? mask.back() : mask.front()) == 1);
  }
}

BOOST_AUTO_TEST_CASE(pads_to_a_length_with_a_token_of_choice) {
  const auto tokenizer = story_tokenizer();
  const auto batch = tokenizer(
      texts,
      {.padding = padding::max_length, .max_length = 5, .pad_token_id = 7});
  BOOST_TEST(batch.input_ids[2] == (std::vector<std::int32_t>{1, 7, 7, 7, 7}),
             boost::test_tools::per_element());
  BOOST_TEST(batch.input_ids[0].size() > 5u); // padding never cuts
  const auto whole = tokenizer({"Once"}, {.padding = padding::max_length});
  BOOST_TEST(whole.input_ids[0].size() == 512u); // model_max_length
}

BOOST_AUTO_TEST_CASE(the_tokenizers_own_pad_token_comes_first) {
  const auto bloom =
      auto_tokenizer::from_pretrained(fixture("tokenizers/own-bloom"));
  BOOST_REQUIRE(bloom.pad_token_id().has_value());
  BOOST_TEST(*bloom.pad_token_id() != *bloom.eos_token_id());
  const auto batch =
      bloom({"a b c d e f g", "a"}, {.padding = padding::longest});
  BOOST_TEST(batch.input_ids[1].back() == *bloom.pad_token_id());
}

BOOST_AUTO_TEST_CASE(truncation_counts_special_tokens) {
  const auto tokenizer = story_tokenizer();
  const auto whole = tokenizer(texts).input_ids[0];
  auto cut =
      tokenizer(texts, {.truncation = true, .max_length = 4}).input_ids[0];
  BOOST_TEST(cut == std::vector(whole.begin(), whole.begin() + 4),
             boost::test_tools::per_element());
  cut = tokenizer(texts, {.truncation = true,
                          .max_length = 4,
                          .truncation_side = text_side::left})
            .input_ids[0];
  std::vector<std::int32_t> last{1};
  last.insert(last.end(), whole.end() - 3, whole.end());
  BOOST_TEST(cut == last, boost::test_tools::per_element());
  const auto tight = tokenizer(texts, {.truncation = true, .max_length = 1});
  BOOST_TEST(tight.input_ids[0] == std::vector<std::int32_t>{1});
}

BOOST_AUTO_TEST_CASE(sides_and_lengths_come_from_the_directory) {
  scratch_directory directory;
  std::filesystem::copy_file(stories260k() + "/tokenizer.json",
                             directory / "tokenizer.json");
  directory.write("tokenizer_config.json",
                  R"({"padding_side": "left", "truncation_side": "left",
                      "pad_token": "<unk>", "eos_token": "</s>",
                      "model_max_length": 1000000000000000019884624838656})");
  const auto tokenizer = auto_tokenizer::from_pretrained(directory.path());
  const auto batch = tokenizer(
      texts,
      {.padding = padding::longest, .truncation = true, .max_length = 3});
  BOOST_TEST(batch.input_ids[2] == (std::vector<std::int32_t>{0, 0, 1}),
             boost::test_tools::per_element());
  const auto wrong = [&](const encoding_options &options) {
    return error_text([&] { tokenizer(texts, options); });
  };
  BOOST_TEST(
      contains(wrong({.truncation = true}), "max_length: truncation needs it"));
  BOOST_TEST(contains(wrong({.padding = padding::max_length}), "max_length"));
  BOOST_TEST(contains(wrong({.truncation = true, .max_length = 0}),
                      "max_length: 0 is out of range"));
  directory.write("tokenizer_config.json", R"({"padding_side": "top"})");
  const auto text =
      error_text([&] { auto_tokenizer::from_pretrained(directory.path()); });
  BOOST_TEST(contains(text, "padding_side: 'top' is no side"));
}

BOOST_AUTO_TEST_CASE(padding_without_a_pad_token_is_refused) {
  scratch_directory directory;
  std::filesystem::copy_file(stories260k() + "/tokenizer.json",
                             directory / "tokenizer.json");
  const auto tokenizer = auto_tokenizer::from_pretrained(directory.path());
  const auto text =
      error_text([&] { tokenizer(texts, {.padding = padding::longest}); });
  BOOST_TEST(contains(text, "pad_token_id"));
}

BOOST_AUTO_TEST_CASE(decodes_batches) {
  const auto tokenizer = story_tokenizer();
  const auto batch = tokenizer(
      texts, {.padding = padding::longest, .padding_side = text_side::left});
  const auto back = tokenizer.batch_decode(batch.input_ids, true);
  for (std::size_t i = 0; i < texts.size(); ++i)
    BOOST_TEST(back[i] == texts[i]);
  BOOST_TEST(tokenizer.decode(batch.input_ids[2]).starts_with("</s></s>"));
}

BOOST_AUTO_TEST_SUITE_END()

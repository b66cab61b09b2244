// HuggingFace's `generate`: its own tokens for left-padded batches of every
// golden checkpoint, and its rules of lengths, padding and options.
#include "actors/hf_generation_adapter.hpp"
#include "tests/actors/auto_model_fixture.hpp"
#include "tests/fixtures.hpp"
#include "tests/golden.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

using ids = std::vector<std::int32_t>;

hf_generation_adapter adapter_of(const std::string &directory,
                                 const model_options &options) {
  return hf_generation_adapter(started(directory, options));
}

hf_generation_adapter story_adapter() {
  return adapter_of(stories260k(),
                    {.batch_size = 4, .tp_degree = 1, .n_positions = 256});
}

/// Left padding (0) and its mask.
const token_rows two_rows = {{0, 0, 1, 403}, {1, 410, 300, 20}};
const token_rows two_masks = {{0, 0, 1, 1}, {1, 1, 1, 1}};

/// The shipped model with a generation_config.json of the test's own.
struct configured_model {
  explicit configured_model(const std::string &generation) {
    for (const char *name : {"config.json", "model.safetensors"})
      std::filesystem::create_symlink(stories260k() + "/" + name,
                                      directory / name);
    directory.write("generation_config.json", generation);
  }
  hf_generation_adapter adapter() const {
    return adapter_of(directory.path(), {.batch_size = 4, .tp_degree = 1});
  }
  scratch_directory directory;
};

} // namespace

BOOST_AUTO_TEST_SUITE(hf_generation_adapter)

BOOST_DATA_TEST_CASE(equals_huggingface_on_left_padded_batches,
                     boost::unit_test::data::make(golden_names()) *
                         boost::unit_test::data::make({1, 2, 3, 4, 8}),
                     name, tp_degree) {
  const golden g(name);
  const auto batch = g.expected.root().find("batch_left_padded");
  if (!batch)
    return;
  const auto options = on_ranks(g.directory, tp_degree, 4);
  if (!options)
    return;
  const auto model = adapter_of(g.directory, *options);
  auto want = rows_of(batch->at("input_ids"));
  const auto greedy = rows_of(batch->at("greedy"));
  const auto got = model.generate(
      want, rows_of(batch->at("attention_mask")),
      {.max_new_tokens = static_cast<std::int64_t>(greedy[0].size()),
       .eos_token_id = ids{}});
  for (std::size_t i = 0; i < want.size(); ++i) {
    want[i].insert(want[i].end(), greedy[i].begin(), greedy[i].end());
    BOOST_TEST(got[i] == want[i], boost::test_tools::per_element());
  }
}

BOOST_DATA_TEST_CASE(equals_huggingface_up_to_the_end_of_text,
                     boost::unit_test::data::make(golden_names()) *
                         boost::unit_test::data::make({1, 2, 3, 4, 8}),
                     name, tp_degree) {
  const golden g(name);
  const auto stop = g.expected.root().find("eos_stop");
  if (!stop)
    return;
  const auto prompts = g.expected.root().at("prompts").items();
  const auto which = static_cast<std::size_t>(stop->at("prompt").as_int());
  auto want = ids_of(prompts[which].at("ids"));
  const auto eos = static_cast<std::int32_t>(stop->at("eos_token_id").as_int());
  const auto options = on_ranks(g.directory, tp_degree, 1);
  if (!options)
    return;
  const auto model = adapter_of(g.directory, *options);
  const auto got = model.generate(
      {want}, {}, {.max_new_tokens = 24, .eos_token_id = ids{eos}});
  for (const auto id : ids_of(stop->at("ids")))
    want.push_back(id);
  BOOST_TEST(got[0] == want, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rows_get_the_bits_they_get_alone) {
  const auto model = story_adapter();
  for (const bool sampled : {false, true}) {
    generate_options options{.do_sample = sampled,
                             .max_length = 120,
                             .temperature = 0.7f,
                             .repetition_penalty = 1.1f,
                             .eos_token_id = ids{},
                             .seed = 9};
    const auto together = model.generate(two_rows, two_masks, options);
    options.seed = 9 + 1;
    const auto second = model.generate({two_rows[1]}, {}, options);
    BOOST_TEST(together[1] == second[0], boost::test_tools::per_element());
    options.seed = 9;
    options.max_length = 118;
    const auto first = model.generate({{1, 403}}, {}, options);
    BOOST_TEST(ids(together[0].begin() + 2, together[0].end()) == first[0],
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(shorter_rows_are_filled_with_the_pad_token) {
  const auto model = story_adapter();
  const auto whole = model.generate(two_rows, two_masks,
                                    {.max_length = 60, .eos_token_id = ids{}});
  std::size_t at = 4;
  while (std::ranges::count(whole[1], whole[0][at]))
    ++at;
  const ids eos{whole[0][at]};
  auto got = model.generate(
      two_rows, two_masks,
      {.max_length = 60, .eos_token_id = eos, .pad_token_id = 17});
  auto want = whole[0];
  const auto first = std::find(want.begin() + 4, want.end(), eos[0]);
  std::fill(first + 1, want.end(), 17);
  BOOST_TEST(got[0] == want, boost::test_tools::per_element());
  BOOST_TEST(got[1] == whole[1], boost::test_tools::per_element());
  // Without a pad token the end of text fills.
  got = model.generate(two_rows, two_masks,
                       {.max_length = 60, .eos_token_id = eos});
  BOOST_TEST(got[0].back() == eos[0]);
}

BOOST_AUTO_TEST_CASE(returns_several_sequences_a_row) {
  const auto model = story_adapter();
  const auto got = model.generate(two_rows, two_masks,
                                  {.do_sample = true,
                                   .max_length = 40,
                                   .eos_token_id = ids{},
                                   .num_return_sequences = 2,
                                   .seed = 1});
  BOOST_REQUIRE(got.size() == 4u);
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(std::equal(two_rows[i / 2].begin(), two_rows[i / 2].end(),
                          got[i].begin()));
  BOOST_TEST((got[0] != got[1]));
  for (const std::int64_t copies : {std::int64_t{3}, INT64_MAX})
    refused(
        [&] {
          model.generate(two_rows, two_masks,
                         {.do_sample = true,
                          .max_length = 9,
                          .num_return_sequences = copies});
        },
        "2 rows, " + std::to_string(copies) +
            " sequences each (num_return_sequences); the model is compiled "
            "for batch_size 4");
  refused([&] { model.generate(two_rows, {}, {.num_return_sequences = 2}); },
          "num_return_sequences: 2 without do_sample");
}

BOOST_AUTO_TEST_CASE(lengths_count_padding_unless_new_tokens_are_given) {
  const auto model = story_adapter();
  const auto length = [&](generate_options options) {
    options.eos_token_id = ids{};
    return model.generate(two_rows, two_masks, options)[0].size();
  };
  BOOST_TEST(length({.max_length = 20}) == 20u);
  BOOST_TEST(length({.max_new_tokens = 20}) == 24u);
  BOOST_TEST(length({.max_length = 9, .max_new_tokens = 20}) == 24u);
}

BOOST_AUTO_TEST_CASE(the_directory_gives_defaults) {
  const configured_model own(R"({"max_length": 30, "do_sample": true,
      "top_k": 1, "eos_token_id": [], "pad_token_id": 3})");
  const auto model = own.adapter();
  const auto got = model.generate(two_rows, two_masks);
  BOOST_TEST(got[0].size() == 30u);
  // top_k 1 of the file makes drawing greedy.
  BOOST_TEST(
      (got == model.generate(two_rows, two_masks, {.do_sample = false})));
  BOOST_TEST(
      (got != model.generate(two_rows, two_masks, {.top_k = 0, .seed = 4})));
  const configured_model longer(R"({"max_new_tokens": 6})");
  const auto other = longer.adapter();
  BOOST_TEST(other.generate({{1, 403}})[0].size() == 8u);
  BOOST_TEST(other.generate({{1, 403}}, {}, {.max_length = 5})[0].size() == 5u);
}

BOOST_AUTO_TEST_CASE(refuses_what_the_directory_asks_for_beyond_this) {
  const configured_model groups(R"({"num_beam_groups": 2})");
  refused([&] { groups.adapter().generate({{1}}); },
          "generation_config.json: num_beam_groups: 2 is not done here");
  const configured_model many(R"({"num_beams": 2, "num_return_sequences": 3})");
  refused([&] { many.adapter().generate({{1}}); },
          "num_return_sequences: 3; accepted: at most num_beams");
  const configured_model wide(R"({"eos_token_id": 4294967298})");
  refused([&] { wide.adapter(); }, "eos_token_id: 4294967298 is out of range");
  const configured_model words(R"({"force_words_ids": [[3]]})");
  refused([&] { words.adapter().generate({{1}}); }, "force_words_ids: [[3]]");
}

BOOST_AUTO_TEST_CASE(rules_come_from_the_directory_or_the_caller) {
  const configured_model plain(R"({"max_new_tokens": 20, "eos_token_id": []})");
  const auto base = plain.adapter().generate({{1, 403}})[0];
  const auto first = base[2];
  const configured_model own(
      R"({"max_new_tokens": 20, "eos_token_id": [], "suppress_tokens": [)" +
      std::to_string(first) + R"(], "no_repeat_ngram_size": 1})");
  const auto model = own.adapter();
  const auto got = model.generate({{1, 403}})[0];
  BOOST_TEST(std::ranges::count(got, first) == 0);
  BOOST_TEST(std::set(got.begin(), got.end()).size() == got.size());
  const auto none = model.generate(
      {{1, 403}}, {}, {.no_repeat_ngram_size = 0, .suppress_tokens = ids{}});
  BOOST_TEST(none[0] == base, boost::test_tools::per_element());
  const auto forced = model.generate({{1}}, {},
                                     {.bad_words_ids = token_rows{{base[3]}},
                                      .begin_suppress_tokens = ids{403},
                                      .forced_bos_token_id = 20,
                                      .forced_eos_token_id = ids{2}})[0];
  BOOST_TEST(forced[1] == 20);
  BOOST_TEST(forced[2] != 403);
  BOOST_TEST(forced.back() == 2);
  BOOST_TEST(std::ranges::count(forced, base[3]) == 0);
}

BOOST_AUTO_TEST_CASE(rows_have_at_least_the_least_length) {
  const auto model = story_adapter();
  const auto base = model.generate({{1, 403}}, {}, {.max_new_tokens = 12})[0];
  const ids end{base[4]};
  const auto of = [&](generate_options options) {
    options.max_new_tokens = 30;
    options.eos_token_id = end;
    return model.generate({{1, 403}}, {}, options)[0].size();
  };
  BOOST_TEST(of({}) <= 5u);
  BOOST_TEST(of({.min_length = 9}) >= 10u);
  BOOST_TEST(of({.min_new_tokens = 9}) >= 12u);
}

BOOST_AUTO_TEST_CASE(refuses_arguments_by_name) {
  const auto model = story_adapter();
  const auto generate = [&](token_rows mask, generate_options options = {}) {
    return [=] { model.generate(two_rows, mask, options); };
  };
  refused(generate({{1, 1, 0, 0}, {1, 1, 1, 1}}),
          "row 0 has padding after its tokens, from column 2");
  refused(generate({{1, 0, 1, 1}, {1, 1, 1, 1}}), "padding between tokens");
  refused(generate({{1, 1, 1, 1}}), "attention_mask");
  refused(generate({}, {.max_length = 4}), "max_length: 4 leaves no room");
  refused(generate({}, {.max_length = 257}), "max_length: row 0 has 4 tokens");
  refused(generate({}, {.max_new_tokens = 0}), "max_new_tokens: 0");
  refused(generate({}, {.max_new_tokens = 253}), "max_new_tokens: row 0");
  refused(generate({}, {.do_sample = true, .max_length = 9, .temperature = 0}),
          "temperature: 0");
  refused(generate({}, {.max_length = 9, .num_return_sequences = 0}),
          "num_return_sequences: 0");
}

BOOST_AUTO_TEST_CASE(reset_generation_ends_what_is_under_way) {
  auto model = story_adapter();
  auto same = model;
  refused(
      [&] {
        model.generate(two_rows, two_masks,
                       {.max_length = 256,
                        .eos_token_id = ids{},
                        .streamer = [&](std::size_t, std::int32_t) {
                          same.reset_generation();
                          return true;
                        }});
      },
      "cancelled");
  BOOST_TEST(model.generate(two_rows, two_masks, {.max_length = 9})[0].size() ==
             9u);
}

BOOST_AUTO_TEST_SUITE_END()

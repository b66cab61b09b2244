// The programming model of transformers-neuronx: what its calls promise and
// what they refuse.
#include "runtime/shard/loaded_model.hpp"
#include "tests/actors/auto_model_fixture.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <thread>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

auto_model story_model(std::int64_t batch_size = 4) {
  return started(
      stories260k(),
      {.batch_size = batch_size, .tp_degree = 1, .n_positions = 256});
}

const token_rows two_rows = {{1, 403, 407, 261}, {1, 410, 300, 20}};

void check_all_returned(const ganglion::auto_model &model) {
  auto &engine = model.running_engine();
  BOOST_TEST(engine.drain(std::chrono::seconds(30)));
  const auto s = engine.status();
  BOOST_TEST(s.running + s.waiting == 0u);
  BOOST_TEST(s.free_kv_blocks == s.kv_blocks);
}

} // namespace

BOOST_AUTO_TEST_SUITE(auto_model)

BOOST_AUTO_TEST_CASE(rows_get_the_bits_they_get_alone) {
  const auto model = story_model();
  const token_rows rows = {
      {0, 0, 1, 403, 407, 261}, {1, 410, 300, 20, 9, 77}, {0, 0, 0, 0, 0, 1}};
  const sample_options options{.top_k = 20,
                               .top_p = 0.9f,
                               .temperature = 0.8f,
                               .start_ids = {2, 0, 5},
                               .eos_token_override =
                                   std::vector<std::int32_t>{},
                               .seed = 5};
  const auto together = model.sample(rows, 100, options);
  const auto logits = model.forward(
      rows, {{0, 0, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto alone = options;
    alone.seed = *options.seed + i;
    alone.start_ids = {};
    const std::vector bare(rows[i].begin() + options.start_ids[i],
                           rows[i].end());
    const auto got = model.sample({bare}, 100 - options.start_ids[i], alone)[0];
    BOOST_TEST(together[i].size() == 100u);
    BOOST_TEST(std::equal(got.rbegin(), got.rend(), together[i].rbegin()));
    BOOST_TEST((model.forward({bare}).logits[0] == logits.logits[i]));
  }
}

BOOST_AUTO_TEST_CASE(finished_rows_are_filled_with_the_end_of_text) {
  const auto model = story_model();
  const auto whole = model.sample(
      two_rows, 60,
      {.top_k = 1, .eos_token_override = std::vector<std::int32_t>{}});
  // A token that only the first row says, from where it says it.
  std::size_t at = two_rows[0].size();
  while (std::ranges::count(whole[1], whole[0][at]))
    ++at;
  const auto eos = whole[0][at];
  const auto got = model.sample(
      two_rows, 60, {.top_k = 1, .eos_token_override = std::vector{eos}});
  auto want = whole;
  const auto first = std::ranges::find(
      want[0].begin() + static_cast<std::ptrdiff_t>(two_rows[0].size()),
      want[0].end(), eos);
  std::fill(first, want[0].end(), eos);
  BOOST_TEST(got[0] == want[0], boost::test_tools::per_element());
  BOOST_TEST(got[1] == want[1], boost::test_tools::per_element());
  // Alone it is as long as it needs to be.
  const auto alone = model.sample(
      {two_rows[0]}, 60, {.top_k = 1, .eos_token_override = std::vector{eos}});
  BOOST_TEST(alone[0].back() == eos);
  BOOST_TEST(alone[0].size() ==
             static_cast<std::size_t>(first - want[0].begin()) + 1);
}

BOOST_AUTO_TEST_CASE(seeds_decide_what_is_drawn) {
  const auto model = story_model();
  const auto draw = [&](std::uint64_t seed) {
    return model.sample(two_rows, 40, {.seed = seed});
  };
  BOOST_TEST((draw(1) == draw(1)));
  BOOST_TEST((draw(1) != draw(2)));
  const auto same = model.sample({two_rows[0], two_rows[0]}, 40, {.seed = 1});
  BOOST_TEST((same[0] != same[1]));
}

BOOST_AUTO_TEST_CASE(the_streamer_hears_every_token_and_may_end_a_row) {
  const auto model = story_model();
  const auto caller = std::this_thread::get_id();
  token_rows heard(2);
  const auto got =
      model.sample(two_rows, 50,
                   {.top_k = 1,
                    .eos_token_override = std::vector<std::int32_t>{2},
                    .streamer = [&](std::size_t row, std::int32_t token) {
                      BOOST_TEST((std::this_thread::get_id() == caller));
                      heard[row].push_back(token);
                      return row == 0 || heard[row].size() < 3;
                    }});
  const auto begin = static_cast<std::ptrdiff_t>(two_rows[0].size());
  BOOST_TEST(heard[0] == std::vector(got[0].begin() + begin, got[0].end()),
             boost::test_tools::per_element());
  BOOST_TEST(heard[1].size() == 3u);
  BOOST_TEST(got[1][7] == 2);
  struct enough {};
  BOOST_CHECK_THROW(
      model.sample(two_rows, 200,
                   {.streamer = [](std::size_t, std::int32_t) -> bool {
                     throw enough{};
                   }}),
      enough);
  check_all_returned(model);
}

BOOST_AUTO_TEST_CASE(reset_ends_calls_under_way_and_frees_their_cache) {
  auto model = story_model();
  std::string text;
  {
    auto same = model;
    text = error_text([&] {
      model.sample(two_rows, 256,
                   {.eos_token_override = std::vector<std::int32_t>{},
                    .streamer = [&](std::size_t row, std::int32_t) {
                      if (row == 1)
                        same.reset();
                      return true;
                    }});
    });
  }
  BOOST_TEST(contains(text, "cancelled"), text);
  BOOST_TEST(model.sample(two_rows, 10)[0].size() == 10u);
  check_all_returned(model);
}

BOOST_AUTO_TEST_CASE(threads_may_call_at_once) {
  const auto model = story_model(2);
  const auto want = model.sample(two_rows, 80, {.seed = 3});
  std::vector<token_rows> got(4);
  std::vector<std::thread> threads;
  for (auto &rows : got)
    threads.emplace_back(
        [&] { rows = model.sample(two_rows, 80, {.seed = 3}); });
  for (auto &t : threads)
    t.join();
  for (const auto &rows : got)
    BOOST_TEST((rows == want));
}

BOOST_AUTO_TEST_CASE(load_refuses_what_does_not_fit) {
  const scratch_directory saved;
  const auto first =
      started(stories260k(), {.tp_degree = 1, .n_positions = 64});
  first.save(saved / "one");
  auto other = ganglion::auto_model::from_pretrained(
      stories260k(), {.tp_degree = 1, .n_positions = 128});
  refused([&] { other.load(saved / "none"); }, "not_found");
  other.load(saved / "one");
  const auto text = error_text([&] { other.to_neuron(); });
  for (const char *part : {"n_positions", "64", "128"})
    BOOST_TEST(contains(text, part), text);
  auto late = first;
  refused([&] { late.load(saved / "one"); }, "load comes before to_neuron");
}

BOOST_AUTO_TEST_CASE(options_reach_the_engine) {
  const auto model =
      started(stories260k(),
              {.batch_size = 3,
               .tp_degree = 4,
               .n_positions = 128,
               .amp = "bf16",
               .neuron_config = {{"kv_blocks", "9"}, {"block_size", "16"}}});
  const auto s = model.running_engine().status();
  BOOST_TEST(s.tp_degree == 4);
  BOOST_TEST(s.n_positions == 128);
  BOOST_TEST(s.kv_blocks == 9);
  BOOST_TEST(model.n_positions() == 128);
  const auto f32 = started(stories260k(), {.batch_size = 3});
  BOOST_TEST((f32.forward(two_rows).logits != model.forward(two_rows).logits));
}

BOOST_AUTO_TEST_CASE(refuses_options_by_name) {
  const auto with = [](model_options options) {
    return error_text(
        [&] { ganglion::auto_model::from_pretrained(stories260k(), options); });
  };
  BOOST_TEST(contains(with({.batch_size = 0}), "from_pretrained: batch_size"));
  BOOST_TEST(contains(with({.tp_degree = -1}), "from_pretrained: tp_degree"));
  BOOST_TEST(contains(with({.tp_degree = 3}), "tensor_parallel_degree"));
  BOOST_TEST(contains(with({.n_positions = 4096}), "n_positions: 4096"));
  BOOST_TEST(contains(with({.amp = "f32-u8-bf16"}), "amp: 'f32-u8-bf16'"));
  BOOST_TEST(contains(with({.neuron_config = {{"kv_block", "9"}}}),
                      "did you mean 'kv_blocks'?"));
  BOOST_TEST(contains(with({.neuron_config = {{"port", "80"}}}), "port"));
  BOOST_TEST(contains(with({.neuron_config = {{"dtype", "f16"}}}),
                      "given already, as 'amp'"));
  refused([] { ganglion::auto_model::from_pretrained("/nowhere"); },
          "not_found: /nowhere");
}

BOOST_AUTO_TEST_CASE(refuses_calls_before_to_neuron) {
  auto model = ganglion::auto_model::from_pretrained(stories260k());
  refused([&] { model.sample({two_rows[0]}, 10); }, "call to_neuron() first");
  refused([&] { model.forward({two_rows[0]}); }, "unavailable");
  refused([&] { model.save("/nowhere"); }, "to_neuron");
  refused([&] { model.reset(); }, "to_neuron");
}

BOOST_AUTO_TEST_CASE(refuses_arguments_by_name) {
  const auto model = story_model(2);
  const auto sample = [&](token_rows rows, std::int64_t length,
                          sample_options options = {}) {
    return [=] { model.sample(rows, length, options); };
  };
  refused(sample({{1}, {1}, {1}}, 10), "input_ids: 3 rows");
  refused(sample({{1}, {1}, {1}}, 10), "batch_size 2");
  refused(sample({}, 10), "input_ids");
  refused(sample({{1}, {}}, 10), "row 1 has no tokens");
  refused(sample({{1, 2}, {1}}, 10), "pad them to one length");
  refused(sample(two_rows, 4), "sequence_length: 4 leaves no room");
  refused(sample(two_rows, 257), "sequence_length: row 0");
  refused(sample({{1, 512}}, 10), "token id 512");
  refused(sample(two_rows, 9, {.top_k = 0}), "top_k: 0");
  refused(sample(two_rows, 9, {.top_p = 0}), "top_p: 0");
  refused(sample(two_rows, 9, {.temperature = 0}), "temperature: 0");
  refused(sample(two_rows, 9, {.start_ids = {0}}), "start_ids: has 1 values");
  refused(sample(two_rows, 9, {.start_ids = {0, 4}}), "start_ids: 4 of row 1");
  const auto forward = [&](token_rows mask) {
    return [=] { model.forward(two_rows, mask); };
  };
  refused(forward({{1, 1, 1, 1}}), "attention_mask: has 1 rows");
  refused(forward({{1, 1, 1, 1}, {1, 1}}), "row 1 has 2 columns");
  refused(forward({{1, 0, 1, 1}, {1, 1, 1, 1}}), "padding between tokens");
  refused(forward({{1, 1, 1, 1}, {0, 0, 0, 0}}), "row 1 has no token");
  refused(forward({{1, 1, 2, 1}, {1, 1, 1, 1}}), "has 2 at column 2");
  BOOST_TEST(model.sample(two_rows, 9).size() == 2u); // none the worse
}

BOOST_AUTO_TEST_CASE(right_padding_has_logits_too) {
  const auto model = story_model();
  const auto out =
      model.forward({{1, 403, 407, 0}, {0, 1, 403, 407}},
                    {{1, 1, 1, 0}, {0, 1, 1, 1}}, {.output_all_logits = true});
  for (std::int64_t i = 0; i < 3; ++i)
    BOOST_TEST(std::ranges::equal(out.at(0, i), out.at(1, i + 1)));
  BOOST_TEST(std::ranges::all_of(out.at(0, 3), [](float x) { return x == 0; }));
  const auto last = model.forward({{1, 403, 407, 0}}, {{1, 1, 1, 0}});
  BOOST_TEST(std::ranges::equal(last.at(0, 0), out.at(0, 2)));
}

BOOST_AUTO_TEST_CASE(output_all_logits_is_an_option_of_the_model_too) {
  const token_rows prompt = {std::vector<std::int32_t>(200, 403)};
  const auto with = [](const std::string &all) {
    return started(
        stories260k(),
        {.tp_degree = 1,
         .n_positions = 256,
         .neuron_config = {{"chunk", "200"}, {"output_all_logits", all}}});
  };
  const auto last = with("false"), every = with("true");
  BOOST_TEST(last.forward(prompt).positions == 1);
  const auto out = every.forward(prompt);
  BOOST_TEST(out.positions == 200);
  BOOST_TEST(
      every.forward(prompt, {}, {.output_all_logits = false}).positions == 1);
  BOOST_TEST((last.forward(prompt, {}, {.output_all_logits = true}).logits ==
              out.logits));
  // One step instead of one for each 64 rows with logits.
  BOOST_TEST(every.running_engine().status().steps == 2u);
  BOOST_TEST(last.running_engine().status().steps == 8u);
}

BOOST_AUTO_TEST_CASE(batches_of_several_sizes_give_the_same_rows) {
  const auto one = started(stories260k(), {.batch_size = 4, .tp_degree = 1});
  const auto several =
      started(stories260k(), {.batch_size = {1, 2, 4}, .tp_degree = 1});
  for (const token_rows &rows : {two_rows, token_rows{two_rows[1]}})
    BOOST_TEST((one.sample(rows, 40, {.seed = 1}) ==
                several.sample(rows, 40, {.seed = 1})));
  const auto programs = [](const ganglion::auto_model &model) {
    return model.running_engine().model()->steps->buckets().size();
  };
  BOOST_TEST(programs(several) == programs(one) + 3);
  refused([&] { several.sample(token_rows(5, {1}), 9); }, "batch_size 4");
  refused(
      [] {
        ganglion::auto_model::from_pretrained(
            stories260k(),
            {.neuron_config = {{"max_rolling_batch_size", "9"}}});
      },
      "batch_size: is 1, but max_rolling_batch_size is 9");
}

BOOST_AUTO_TEST_SUITE_END()

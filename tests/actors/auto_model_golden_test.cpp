// Every golden checkpoint through the calls of transformers-neuronx:
// HuggingFace's numbers, and the same bits again from what was saved.
#include "tests/actors/auto_model_fixture.hpp"
#include "tests/golden.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/data/test_case.hpp>

using namespace ganglion;
using namespace ganglion::testing;

BOOST_AUTO_TEST_SUITE(auto_model_golden)

BOOST_DATA_TEST_CASE(forward_gives_huggingfaces_logits,
                     boost::unit_test::data::make(golden_names()) *
                         boost::unit_test::data::make({1, 2, 3, 4, 8}),
                     name, tp_degree) {
  const golden g(name);
  const auto options = on_ranks(g.directory, tp_degree, 4);
  if (!options)
    return;
  const auto model = started(g.directory, *options);
  for (const auto &prompt : g.expected.root().at("prompts").items()) {
    const auto out = model.forward({ids_of(prompt.at("ids"))}, {},
                                   {.output_all_logits = true});
    const auto want = g.tensor(prompt.at("logits").as_string());
    BOOST_TEST(worst(out.logits[0], want) < g.tolerance());
  }
  const auto batch = g.expected.root().find("batch_left_padded");
  if (!batch)
    return;
  const auto ids = rows_of(batch->at("input_ids"));
  const auto out = model.forward(ids, rows_of(batch->at("attention_mask")));
  const auto want = g.tensor(batch->at("logits").as_string());
  BOOST_TEST(out.positions == 1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto width = static_cast<std::size_t>(out.vocabulary);
    BOOST_TEST(worst(out.at(i, 0), std::span(want).subspan(i * width, width)) <
               g.tolerance());
  }
}

BOOST_DATA_TEST_CASE(sample_ends_at_the_given_end_of_text,
                     boost::unit_test::data::make(golden_names()) *
                         boost::unit_test::data::make({1, 2, 3, 4, 8}),
                     name, tp_degree) {
  const golden g(name);
  const auto stop = g.expected.root().find("eos_stop");
  if (!stop)
    return;
  const auto prompts = g.expected.root().at("prompts").items();
  const auto which = static_cast<std::size_t>(stop->at("prompt").as_int());
  const auto prompt = ids_of(prompts[which].at("ids"));
  auto want = prompt;
  for (const auto id : ids_of(stop->at("ids")))
    want.push_back(id);
  const auto eos = static_cast<std::int32_t>(stop->at("eos_token_id").as_int());
  const auto options = on_ranks(g.directory, tp_degree, 1);
  if (!options)
    return;
  const auto model = started(g.directory, *options);
  const auto length = static_cast<std::int64_t>(prompt.size()) + 24;
  const auto got = model.sample(
      {prompt}, length, {.top_k = 1, .eos_token_override = std::vector{eos}});
  BOOST_TEST(got[0] == want, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(what_was_saved_is_loaded_without_compiling,
                     boost::unit_test::data::make(golden_names()), name) {
  const golden g(name);
  const scratch_directory saved;
  const model_options options{.batch_size = 2};
  const auto ids = ids_of(g.expected.root().at("prompts").items()[2].at("ids"));
  const auto first = started(g.directory, options);
  const auto want = first.forward({ids}).logits;
  BOOST_TEST(first.running_engine().status().compilations > 0u);
  first.save(saved / "programs");
  first.save(saved / "packed", {.packed_weights = true});
  first.save(saved / "sharded", {.sharded_weights = true});
  first.save_pretrained_split(saved / "split");
  const auto check = [&](const std::string &directory, const char *compiled) {
    auto again = ganglion::auto_model::from_pretrained(directory, options);
    again.load(saved / compiled);
    again.to_neuron();
    BOOST_TEST(again.running_engine().status().compilations == 0u);
    BOOST_TEST((again.forward({ids}).logits == want));
  };
  check(g.directory, "programs");
  check(g.directory, "packed");
  check(saved / "sharded", "sharded");
  check(saved / "split", "programs");
}

BOOST_AUTO_TEST_SUITE_END()

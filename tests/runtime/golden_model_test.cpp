// Logits and greedy continuations of the golden checkpoints against the values
// that HuggingFace's own code gave.
#include "hlo/support/error.hpp"
#include "tests/runtime/prompt_logits.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// Half-type checkpoints were evaluated in f32, after widening.
group_settings in_f32() {
  group_settings s;
  s.dtype = runtime::weight_dtype::f32;
  return s;
}

void check_golden(const std::string &name, const group_settings &settings) {
  const golden g(name);
  shard_group group(g.directory, settings);
  double most = 0;
  const auto vocabulary = static_cast<std::size_t>(group.spec().vocabulary);
  for (const auto &prompt : g.expected.root().at("prompts").items()) {
    auto ids = ids_of(prompt.at("ids"));
    auto logits = prompt_logits(group, 1, ids);
    most = std::max(most,
                    worst(logits, g.tensor(prompt.at("logits").as_string())));
    const auto greedy = ids_of(prompt.at("greedy").at("ids"));
    const auto logprobs = prompt.at("greedy").at("logprobs").items();
    for (std::size_t i = 0; i < greedy.size(); ++i) {
      const auto row = std::span<const float>(logits).last(vocabulary);
      BOOST_REQUIRE_MESSAGE(argmax(row) == greedy[i],
                            "after " << ids.size() << " tokens " << argmax(row)
                                     << " instead of " << greedy[i]
                                     << ", ahead by "
                                     << row[argmax(row)] - row[greedy[i]]);
      double sum = 0;
      for (const float x : row)
        sum += std::exp(double(x));
      const double logprob = row[greedy[i]] - std::log(sum);
      BOOST_TEST(std::abs(logprob - logprobs[i].as_double()) < 1e-4);
      logits =
          group.feed(1, static_cast<std::int64_t>(ids.size()), {{greedy[i]}});
      ids.push_back(greedy[i]);
    }
  }
  BOOST_TEST_MESSAGE(name << " tp_degree " << settings.tp_degree << " "
                          << to_string(settings.set)
                          << ": largest logit difference " << most
                          << ", accepted: " << g.tolerance());
  BOOST_TEST(most < g.tolerance());
}

const std::vector<std::string> models = {
    "llama",
    "llama-mha",
    "llama-sharded",
    "llama-rope-linear",
    "llama-rope-dynamic",
    "llama-rope-yarn",
    "llama-biases",
    "llama3",
    "mistral",
    "mistral-bf16",
    "mixtral",
    "mixtral-5-experts",
    "qwen2",
    "qwen3",
    "gpt2",
    "gpt2-bin-bf16",
    "gpt_neox",
    "gpt_neox-sharded",
    "gpt_neox-sequential",
    "gptj",
    "gptj-f16",
    "gpt_bigcode",
    "gpt_bigcode-multi-head",
    "opt",
    "opt-bin",
    "opt-post-norm",
    "bloom",
    "bloom-bin-sharded",
    "bloom-12-heads",
};

} // namespace

BOOST_AUTO_TEST_SUITE(golden_model)

BOOST_DATA_TEST_CASE(equals_huggingface_at_every_degree,
                     boost::unit_test::data::make(models) *
                         boost::unit_test::data::make({1, 2, 3, 4, 8}),
                     name, tp_degree) {
  group_settings s = in_f32();
  s.tp_degree = tp_degree;
  const auto directory = testing::fixture("models/" + name);
  const auto heads = runtime::model_source::open(directory)->spec().heads;
  if (heads % tp_degree != 0) {
    BOOST_CHECK_THROW(shard_group(directory, s), ganglion::error);
    s.pad_heads = true;
  }
  if (tp_degree <= heads)
    check_golden(name, s);
  else
    BOOST_CHECK_THROW(shard_group(directory, s), ganglion::error);
}

BOOST_DATA_TEST_CASE(
    equals_huggingface_with_every_strategy,
    boost::unit_test::data::make(models) *
        boost::unit_test::data::make({2, 3, 4, 8}) *
        boost::unit_test::data::make({"replicated-heads", "shard-over-batch",
                                      "all-gather-heads", "over-sequence"}),
    name, tp_degree, strategy) {
  group_settings s = in_f32();
  s.tp_degree = tp_degree;
  s.slots = 8;
  s.pad_heads = true;
  s.over_sequence = std::string_view(strategy) == "over-sequence";
  if (!s.over_sequence)
    s.strategy = *hlo::group_query_from(strategy);
  const auto spec =
      runtime::model_source::open(testing::fixture("models/" + name))->spec();
  if (tp_degree > spec.heads)
    return;
  std::vector<std::string> notes;
  const auto resolved = hlo::resolve_sharding(
      spec, {s.tp_degree, s.strategy, s.over_sequence, true}, s.slots, notes);
  // What falls back is tested above.
  if (s.over_sequence ? resolved.shard_over_sequence
                      : resolved.strategy == s.strategy)
    check_golden(name, s);
  else
    BOOST_TEST(!notes.empty());
}

BOOST_DATA_TEST_CASE(whole_experts_on_every_rank_equal_huggingface,
                     boost::unit_test::data::make(std::vector<std::string>{
                         "mixtral", "mixtral-5-experts", "llama"}) *
                         boost::unit_test::data::make({1, 2, 4, 8}),
                     name, tp_degree) {
  group_settings s = in_f32();
  s.tp_degree = tp_degree;
  s.experts = hlo::expert_sharding::distributed;
  const auto directory = testing::fixture("models/" + name);
  const auto spec = runtime::model_source::open(directory)->spec();
  if (spec.heads % tp_degree != 0)
    return;
  if (spec.experts > 0 && spec.experts % tp_degree == 0)
    check_golden(name, s);
  else
    BOOST_CHECK_EXCEPTION(shard_group(directory, s), error, [](const error &e) {
      return e.field() == "expert_sharding";
    });
}

BOOST_DATA_TEST_CASE(equals_huggingface_on_every_instruction_set,
                     boost::unit_test::data::make(models), name) {
  for (const neuron::isa set : neuron::available_isas()) {
    group_settings s = in_f32();
    s.set = set;
    check_golden(name, s);
  }
}

BOOST_DATA_TEST_CASE(bits_do_not_depend_on_chunks_blocks_or_threads,
                     boost::unit_test::data::make(models), name) {
  const golden g(name);
  const auto prompts = g.expected.root().at("prompts").items();
  const auto ids = ids_of(prompts[3].at("ids"));
  shard_group plain(g.directory, {});
  const auto expected = prompt_logits(plain, 0, ids);
  for (const std::int64_t chunk : {4, 7, 16})
    for (const std::int64_t block : {16, 64})
      for (const int threads : {1, 2}) {
        group_settings s;
        s.chunk = chunk;
        s.block_size = block;
        s.threads = threads;
        shard_group other(g.directory, s);
        BOOST_TEST((prompt_logits(other, 3, ids) == expected));
      }
}

// Four ranks keep parts of every sequence, or whole sequences.
BOOST_DATA_TEST_CASE(bits_do_not_depend_on_chunks_where_ranks_keep_parts,
                     boost::unit_test::data::make({"llama", "llama3",
                                                   "qwen3"}) *
                         boost::unit_test::data::make({false, true}),
                     name, over_sequence) {
  const golden g(name);
  const auto ids = ids_of(g.expected.root().at("prompts").items()[3].at("ids"));
  group_settings s;
  s.tp_degree = 4;
  s.over_sequence = over_sequence;
  if (!over_sequence)
    s.strategy = hlo::group_query::shard_over_batch;
  shard_group plain(g.directory, s);
  const auto expected = prompt_logits(plain, 0, ids);
  for (const std::int64_t chunk : {4, 7, 16}) {
    s.chunk = chunk;
    shard_group other(g.directory, s);
    BOOST_TEST((prompt_logits(other, 3, ids) == expected));
  }
}

BOOST_AUTO_TEST_SUITE_END()

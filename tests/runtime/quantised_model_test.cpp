// What int8 weights and caches do to the golden checkpoints on two ranks (for
// one see numerics_table_test.cpp), and that degrees and chunks change nothing
// that they should not.
#include "tests/runtime/deviation.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

using enum hlo::quantisation;

group_settings in_int8(runtime::weight_dtype dtype, std::int64_t tp_degree,
                       hlo::weight_quantisation how = static_int8) {
  group_settings s;
  s.dtype = dtype;
  s.tp_degree = tp_degree;
  s.quantize = how;
  return s;
}

group_settings with_int8_cache(runtime::weight_dtype dtype,
                               std::int64_t tp_degree) {
  group_settings s;
  s.dtype = dtype;
  s.tp_degree = tp_degree;
  s.kv_cache_quant = hlo::cache_quantisation::s8;
  return s;
}

const auto models = boost::unit_test::data::make(std::vector<std::string>{
    "llama", "llama3", "mistral", "mixtral", "qwen2", "qwen3", "gpt2",
    "gpt_neox", "gptj", "gpt_bigcode", "opt", "opt-post-norm", "bloom"});

} // namespace

BOOST_AUTO_TEST_SUITE(quantised_model)

// A weight is off by half a step of 127 at most; these models are tiny
// and their weights random, so little averages out.
BOOST_DATA_TEST_CASE(stays_near_the_golden, models, name) {
  const golden g(name);
  for (const auto &settings :
       {in_int8(runtime::weight_dtype::f32, 2),
        in_int8(runtime::weight_dtype::bf16, 2),
        with_int8_cache(runtime::weight_dtype::f32, 2)}) {
    const auto d = deviation_of(g, settings);
    BOOST_TEST(d.worst_error < 0.15 * d.largest_logit);
    BOOST_TEST(d.worst_error > 0); // it is quantised
    BOOST_TEST(d.agreement() > 0.8);
  }
}

// Keys and values are quantised one position at a time.
BOOST_DATA_TEST_CASE(bits_with_an_int8_cache_do_not_depend_on_chunks, models,
                     name) {
  const golden g(name);
  const auto ids = ids_of(g.expected.root().at("prompts").items()[3].at("ids"));
  auto s = with_int8_cache(runtime::weight_dtype::as_stored, 1);
  shard_group plain(g.directory, s);
  const auto expected = prompt_logits(plain, 0, ids);
  for (const std::int64_t chunk : {4, 7, 16})
    for (const std::int64_t block : {16, 64})
      for (const int threads : {1, 2}) {
        s.chunk = chunk;
        s.block_size = block;
        s.threads = threads;
        shard_group other(g.directory, s);
        BOOST_TEST((prompt_logits(other, 3, ids) == expected));
      }
}

BOOST_AUTO_TEST_CASE(the_plan_counts_bytes_of_each_type) {
  const auto model = runtime::model_source::open(fixture("models/llama"));
  const auto plan_of = [&](const hlo::weight_quantisation &quantize,
                           hlo::cache_quantisation cache) {
    runtime::engine_config config;
    config.model.dtype = runtime::weight_dtype::f32;
    config.graph.quantize = quantize;
    config.graph.kv_cache_quant = cache;
    return runtime::plan_model(model->spec(), config);
  };
  const auto plain = plan_of(none, hlo::cache_quantisation::none);
  const auto weights = plan_of(static_int8, hlo::cache_quantisation::none);
  const auto cache = plan_of(none, hlo::cache_quantisation::s8);
  double matrices = 0, outputs = 0;
  for (const auto &w : hlo::decoder_weights(model->spec(), static_int8)) {
    if (w.form == hlo::weight_form::quantised)
      matrices += double(w.whole[0] * w.whole[1]);
    if (w.form == hlo::weight_form::scale)
      outputs += double(w.whole[0]);
  }
  BOOST_TEST(matrices > 0);
  BOOST_TEST(double(plain.weight_bytes - weights.weight_bytes) ==
             3 * matrices - 4 * outputs);
  const auto width = static_cast<std::size_t>(model->spec().head_dim);
  BOOST_TEST(cache.blocks == plain.blocks);
  BOOST_TEST(cache.cache_bytes * 4 * width == plain.cache_bytes * (width + 4));
}

// Ranks take scales of whole rows, so all degrees have the same weights.
BOOST_DATA_TEST_CASE(degrees_agree, models, name) {
  const golden g(name);
  const auto prompt = g.expected.root().at("prompts").items()[3];
  const auto ids = ids_of(prompt.at("ids"));
  shard_group one(g.directory, in_int8(runtime::weight_dtype::f32, 1));
  shard_group two(g.directory, in_int8(runtime::weight_dtype::f32, 2));
  const auto a = prompt_logits(one, 0, ids), b = prompt_logits(two, 0, ids);
  BOOST_TEST(worst(a, b) < g.tolerance());
}

BOOST_DATA_TEST_CASE(bits_do_not_depend_on_chunks_or_threads, models, name) {
  const golden g(name);
  const auto ids = ids_of(g.expected.root().at("prompts").items()[3].at("ids"));
  for (const hlo::weight_quantisation how :
       {hlo::weight_quantisation(static_int8, true),
        {int8_dynamic, true},
        {int4},
        {int4, true, 64}}) {
    auto s = in_int8(runtime::weight_dtype::as_stored, 1, how);
    shard_group plain(g.directory, s);
    const auto expected = prompt_logits(plain, 0, ids);
    for (const std::int64_t chunk : {4, 7, 16})
      for (const int threads : {1, 2}) {
        s.chunk = chunk;
        s.threads = threads;
        shard_group other(g.directory, s);
        BOOST_TEST((prompt_logits(other, 3, ids) == expected));
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()

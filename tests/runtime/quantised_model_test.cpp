// What int8 weights and caches do to the golden checkpoints: how far logits
// move from HuggingFace's f32, how often greedy choices stay, and that degrees
// and chunks change nothing that they should not. Run with --log_level=message
// for the table of docs/numerics.md.
#include "tests/runtime/prompt_logits.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct deviation {
  double worst_error = 0;   ///< of a logit
  double largest_logit = 0; ///< of the golden's
  std::int64_t choices = 0, agreed = 0;

  /// Compares the last rows of `got` with all of `want`.
  void add(std::span<const float> got, std::span<const float> want,
           std::size_t vocabulary) {
    worst_error = std::max(worst_error, worst(got, want));
    for (const float x : want)
      largest_logit = std::max(largest_logit, std::abs(double(x)));
    const auto tail = got.last(want.size());
    for (std::size_t i = 0; i < want.size(); i += vocabulary) {
      ++choices;
      agreed += argmax(tail.subspan(i, vocabulary)) ==
                argmax(want.subspan(i, vocabulary));
    }
  }

  double agreement() const { return double(agreed) / double(choices); }
};

/// Along the golden's own continuation, so that one early difference does not
/// count again at every later token.
deviation deviation_of(const golden &g, const group_settings &s) {
  shard_group group(g.directory, s);
  deviation d;
  const auto vocabulary = static_cast<std::size_t>(group.spec().vocabulary);
  for (const auto &prompt : g.expected.root().at("prompts").items()) {
    auto ids = ids_of(prompt.at("ids"));
    auto logits = prompt_logits(group, 1, ids);
    d.add(logits, g.tensor(prompt.at("logits").as_string()), vocabulary);
    for (const auto next : ids_of(prompt.at("greedy").at("ids"))) {
      ++d.choices;
      d.agreed += argmax(std::span(logits).last(vocabulary)) == next;
      logits = group.feed(1, static_cast<std::int64_t>(ids.size()), {{next}});
      ids.push_back(next);
    }
  }
  return d;
}

group_settings in_int8(runtime::weight_dtype dtype, std::int64_t tp_degree) {
  group_settings s;
  s.dtype = dtype;
  s.tp_degree = tp_degree;
  s.quantize = hlo::quantisation::static_int8;
  return s;
}

std::string row_of(const std::string &name, const char *what,
                   const deviation &d) {
  char text[160];
  std::snprintf(text, sizeof text, "| %s | %s | %.4f | %.2f | %.1f %% |",
                name.c_str(), what, d.worst_error, d.largest_logit,
                100 * d.agreement());
  return text;
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
BOOST_DATA_TEST_CASE(stays_near_the_golden,
                     models *boost::unit_test::data::make({1, 2}), name,
                     tp_degree) {
  const golden g(name);
  for (const auto dtype :
       {runtime::weight_dtype::f32, runtime::weight_dtype::bf16}) {
    const auto d = deviation_of(g, in_int8(dtype, tp_degree));
    const bool f32 = dtype == runtime::weight_dtype::f32;
    if (tp_degree == 1)
      BOOST_TEST_MESSAGE(
          row_of(name, f32 ? "int8 weights, f32" : "int8 weights, bf16", d));
    BOOST_TEST(d.worst_error < 0.15 * d.largest_logit);
    BOOST_TEST(d.worst_error > 0); // it is quantised
    BOOST_TEST(d.agreement() > 0.8);
  }
}

BOOST_DATA_TEST_CASE(stays_near_the_golden_with_an_int8_cache,
                     models *boost::unit_test::data::make({1, 2}), name,
                     tp_degree) {
  const golden g(name);
  const auto d =
      deviation_of(g, with_int8_cache(runtime::weight_dtype::f32, tp_degree));
  if (tp_degree == 1)
    BOOST_TEST_MESSAGE(row_of(name, "int8 cache, f32", d));
  BOOST_TEST(d.worst_error < 0.15 * d.largest_logit);
  BOOST_TEST(d.worst_error > 0);
  BOOST_TEST(d.agreement() > 0.8);
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
  const auto plan_of = [&](hlo::quantisation quantize,
                           hlo::cache_quantisation cache) {
    runtime::engine_config config;
    config.model.dtype = runtime::weight_dtype::f32;
    config.graph.quantize = quantize;
    config.graph.kv_cache_quant = cache;
    return runtime::plan_model(model->spec(), config);
  };
  using enum hlo::quantisation;
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
  auto s = in_int8(runtime::weight_dtype::as_stored, 1);
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

BOOST_AUTO_TEST_SUITE_END()

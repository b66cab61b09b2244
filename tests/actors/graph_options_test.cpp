// Options that change graphs and programs, through the library's calls: ids
// and f32 logits stay what they are without them.
#include "hlo/support/float_types.hpp"
#include "tests/actors/auto_model_fixture.hpp"
#include "tests/fixtures.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

using settings = std::map<std::string, std::string>;

const std::vector<std::pair<std::string, settings>> changes = {
    {"as built", {{"neuron_optimize_level", "1"}}},
    {"ordered", {{"neuron_optimize_level", "3"}}},
    {"fused", {{"fuse_qkv", "true"}}},
    {"host embedding", {{"on_device_embedding", "false"}}},
    {"other layouts",
     {{"attention_layout", "BSH"},
      {"collectives_layout", "BSH"},
      {"enable_saturate_infinity", "true"}}},
    {"block-first caches", {{"cache_layout", "BSH"}}},
    {"tiles", {{"weight_tiling", "true"}}},
    {"tiles of a fused product",
     {{"fuse_qkv", "true"}, {"qkv_tiling", "true"}, {"weight_tiling", "true"}}},
    {"a layer at a time", {{"unroll", "1"}}},
    {"a layer at a time as built",
     {{"unroll", "1"},
      {"weight_tiling", "true"},
      {"on_device_embedding", "false"},
      {"neuron_optimize_level", "1"}}},
    {"a layer of shared rows at a time",
     {{"unroll", "1"},
      {"sequence_parallel_norm", "true"},
      {"sequence_parallel_norm_threshold", "1"}}},
    {"fused as built",
     {{"fuse_qkv", "true"},
      {"on_device_embedding", "false"},
      {"neuron_optimize_level", "1"}}},
};

const std::vector<std::string> models = {"llama", "gpt2", "bloom"};

token_rows two_rows() { return {{3, 14, 15, 92, 65}, {35, 89, 79, 32, 38}}; }

} // namespace

BOOST_AUTO_TEST_SUITE(graph_options)

BOOST_DATA_TEST_CASE(ids_and_logits_stay_the_same,
                     boost::unit_test::data::make(models) *
                         boost::unit_test::data::make({1, 2}) *
                         boost::unit_test::data::make({"f32", "bf16",
                                                       "static_int8",
                                                       "int8_dynamic", "int4"}),
                     name, tp_degree, type) {
  const std::string amp = type;
  const bool quantised = amp.find("int") != std::string::npos;
  const auto with = [&](settings more) {
    more["quantize"] = quantised ? amp : "none";
    return started(fixture("models/" + name), {.batch_size = 2,
                                               .tp_degree = tp_degree,
                                               .amp = quantised ? "f32" : amp,
                                               .neuron_config = more});
  };
  const sample_options greedy{
      .top_k = 1, .eos_token_override = std::vector<std::int32_t>{}};
  const auto plain = with({});
  const auto want = plain.forward(two_rows(), {}, {.output_all_logits = true});
  const auto ids = plain.sample(two_rows(), 30, greedy);
  for (const auto &[what, more] : changes)
    BOOST_TEST_CONTEXT(what) {
      if (amp == "int4" &&
          (more.contains("weight_tiling") || more.contains("qkv_tiling"))) {
        refused([&] { with(more); }, "quantize: int4 weights in tiles");
        continue;
      }
      const auto model = with(more);
      BOOST_TEST(
          (model.forward(two_rows(), {}, {.output_all_logits = true}).logits ==
           want.logits));
      BOOST_TEST((model.sample(two_rows(), 30, greedy) == ids));
    }
}

BOOST_AUTO_TEST_CASE(tiles_of_a_product_that_is_not_fused_are_refused) {
  refused(
      [] {
        ganglion::auto_model::from_pretrained(
            stories260k(), {.neuron_config = {{"qkv_tiling", "true"}}});
      },
      "from_pretrained: qkv_tiling: tiles the weight that fuse_qkv makes");
}

BOOST_AUTO_TEST_CASE(unroll_divides_the_layers) {
  const auto with = [](const char *unroll) {
    return started(fixture("models/llama"),
                   {.tp_degree = 1, .neuron_config = {{"unroll", unroll}}});
  };
  const auto programs = [](const ganglion::auto_model &model) {
    return model.running_engine().status().programs;
  };
  BOOST_TEST(programs(with("none")) == 2u);
  BOOST_TEST(programs(with("1")) == 6u);
  refused([&] { with("3"); }, "unroll: 3 does not divide the model's 2 layers");
}

BOOST_AUTO_TEST_CASE(sums_are_rounded_where_they_are_not_to_be_mixed) {
  const auto logits = [](const char *mixed, const std::string &amp) {
    return started(fixture("models/llama"),
                   {.batch_size = 2,
                    .tp_degree = 2,
                    .amp = amp,
                    .neuron_config = {{"enable_mixed_precision_accumulation",
                                       mixed}}})
        .forward(two_rows(), {}, {.output_all_logits = true})
        .logits;
  };
  BOOST_TEST((logits("true", "f32") == logits("false", "f32")));
  const auto wide = logits("true", "bf16"), narrow = logits("false", "bf16");
  double worst = 0;
  for (std::size_t row = 0; row < wide.size(); ++row)
    for (std::size_t i = 0; i < wide[row].size(); ++i) {
      const float x = narrow[row][i];
      worst = std::max(worst, double(std::abs(wide[row][i] - x)));
      BOOST_TEST_REQUIRE(to_float(to_bfloat16(x)) == x);
    }
  BOOST_TEST(worst > 0);
  BOOST_TEST(worst < 1);
}

BOOST_AUTO_TEST_CASE(levels_are_refused_by_name) {
  for (const char *level : {"0", "4", "high"})
    refused(
        [&] {
          ganglion::auto_model::from_pretrained(
              stories260k(),
              {.neuron_config = {{"neuron_optimize_level", level}}});
        },
        "neuron_optimize_level");
}

BOOST_AUTO_TEST_SUITE_END()

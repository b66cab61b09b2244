// The container's rules for sizes, against the values that its own tests have.
#include "runtime/config/smart_defaults.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

constexpr model_shape shape_2b{2048, 5632, 22, 32, 4, 32000, 2048};
constexpr model_shape shape_8b{4096, 14336, 32, 32, 8, 128256, 131072};
constexpr model_shape shape_70b{8192, 28672, 80, 64, 8, 128256, 131072};

struct golden {
  const char *name;
  model_shape shape;
  std::int64_t cores;
  given_sizes given;
  std::int64_t n_positions, tp_degree, batch; ///< batch 0: not set
};

const golden goldens[] = {
    {"2B on 4", shape_2b, 4, {}, 2048, 1, 32},
    {"2B on 1", shape_2b, 1, {}, 2048, 1, 32},
    {"2B int8", shape_2b, 1, {.quantised = true}, 2048, 1, 32},
    {"2B short", shape_2b, 1, {.n_positions = 128}, 128, 1, 32},
    {"2B of 64", shape_2b, 1, {.batch = 64}, 2048, 1, 64},
    {"2B of max", shape_2b, 1, {.tp_degree = 1}, 2048, 1, 32},
    {"8B on 2", shape_8b, 2, {}, 4096, 2, 16},
    {"8B int8", shape_8b, 1, {.quantised = true}, 4096, 1, 16},
    {"70B on 32", shape_70b, 32, {}, 4096, 32, 32},
    {"70B on 1", shape_70b, 1, {}, 4096, 1, 0},
};

std::string config_json(const std::string &family, const std::string &more) {
  return "{\"model_type\": \"" + family +
         "\", \"hidden_size\": 8, \"intermediate_size\": 16, "
         "\"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
         "\"vocab_size\": 32, \"max_position_embeddings\": 64" +
         more + "}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(smart_defaults)

BOOST_AUTO_TEST_CASE(choices_are_the_containers) {
  for (const auto &g : goldens) {
    BOOST_TEST_CONTEXT(g.name) {
      const auto got =
          ganglion::runtime::smart_defaults(g.shape, g.cores, g.given);
      BOOST_TEST(got.n_positions == g.n_positions);
      BOOST_TEST(got.tp_degree == g.tp_degree);
      BOOST_TEST(got.batch.value_or(0) == g.batch);
    }
  }
}

BOOST_AUTO_TEST_CASE(parameters_are_counted_by_the_containers_formula) {
  BOOST_TEST(estimated_parameters(shape_70b) == 71'895'883'776.0);
  BOOST_TEST(estimated_parameters({1, 1, 1, 1, 1, 1, 1}) == 12.0);
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_given_decides_the_degree) {
  // One core runs 16 sequences of int8 8B, two run 32.
  const auto degree = [](std::int64_t batch) {
    return ganglion::runtime::smart_defaults(
               shape_8b, 2, {.batch = batch, .quantised = true})
        .tp_degree;
  };
  BOOST_TEST(degree(16) == 1);
  BOOST_TEST(degree(32) == 2);
}

BOOST_AUTO_TEST_CASE(only_models_with_all_fields_have_a_shape) {
  const scratch_directory dir;
  const std::string kv = ", \"num_key_value_heads\": 2";
  BOOST_TEST(!shape_for_defaults(dir.path()).has_value());
  dir.write("config.json", config_json("gpt2", kv));
  BOOST_TEST(!shape_for_defaults(dir.path()).has_value());
  dir.write("config.json", config_json("mistral", ""));
  BOOST_TEST(!shape_for_defaults(dir.path()).has_value());
  for (const char *family : {"llama", "mistral"}) {
    dir.write("config.json", config_json(family, kv));
    const auto shape = shape_for_defaults(dir.path());
    BOOST_REQUIRE(shape.has_value());
    BOOST_TEST(shape->kv_heads == 2);
    BOOST_TEST(shape->max_positions == 64);
  }
}

BOOST_AUTO_TEST_SUITE_END()

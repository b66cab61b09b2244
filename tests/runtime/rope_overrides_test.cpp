// Contexts stretched at load, and how long sequences may be then.
#include "hlo/support/error.hpp"
#include "runtime/models/model_source.hpp"
#include "runtime/shard/model_plan.hpp"
#include "tests/fixtures.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using runtime::model_source;

namespace {

std::shared_ptr<const model_source> open(const std::string &name,
                                         const runtime::rope_overrides &o) {
  return model_source::open(testing::fixture("models/" + name), o);
}

std::int64_t positions(const model_source &m, std::int64_t wanted) {
  runtime::engine_config config;
  config.graph.n_positions = wanted;
  return plan_model(m.spec(), config).n_positions;
}

auto names(const std::string &field) {
  return [field](const error &e) { return e.field() == field; };
}

constexpr const char *twice = R"({"rope_type": "linear", "factor": 2.0})";

} // namespace

BOOST_AUTO_TEST_SUITE(rope_overrides)

BOOST_AUTO_TEST_CASE(longer_than_the_model_needs_an_override) {
  const auto plain = open("llama", {});
  const auto own = plain->spec().n_positions;
  BOOST_TEST(positions(*plain, 0) == own);
  BOOST_CHECK_EXCEPTION(positions(*plain, own + 1), error,
                        names("n_positions"));
  const auto stretched = open("llama", {{}, twice});
  BOOST_TEST(positions(*stretched, 0) == own);
  BOOST_TEST(positions(*stretched, 2 * own) == 2 * own);
  BOOST_CHECK_EXCEPTION(positions(*stretched, 2 * own + 1), error,
                        names("n_positions"));
  BOOST_TEST(positions(*open("llama", {1e6, {}}), 5 * own) == 5 * own);
}

BOOST_AUTO_TEST_CASE(frequencies_are_those_of_the_override) {
  const auto plain = open("llama", {})->spec().rotary.frequencies;
  const auto half = open("llama", {{}, twice})->spec().rotary.frequencies;
  const auto far = open("llama", {1e6, {}})->spec().rotary.frequencies;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    BOOST_TEST(half[i] == plain[i] / 2);
    BOOST_TEST((i == 0 ? far[i] == plain[i] : far[i] < plain[i]));
  }
  BOOST_TEST(open("gpt_neox", {1e6, {}})->spec().rotary.frequencies[1] <
             open("gpt_neox", {})->spec().rotary.frequencies[1]);
}

BOOST_AUTO_TEST_CASE(dynamic_models_take_any_length) {
  const auto m = open("llama-rope-dynamic", {});
  BOOST_TEST(positions(*m, 0) == 128);
  BOOST_TEST(positions(*m, 4096) == 4096);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_stretched_is_refused) {
  BOOST_CHECK_EXCEPTION(open("gpt2", {1e6, {}}), error, names("rope_theta"));
  BOOST_CHECK_EXCEPTION(open("gptj", {{}, twice}), error,
                        names("rope_scaling"));
  BOOST_CHECK_EXCEPTION(open("llama", {{}, "[2]"}), error,
                        names("rope_scaling"));
  BOOST_CHECK_THROW(open("llama", {{}, "{"}), error);
  BOOST_CHECK_EXCEPTION(open("llama", {{}, R"({"rope_type": "su"})"}), error,
                        names("rope_scaling.rope_type"));
}

BOOST_AUTO_TEST_SUITE_END()

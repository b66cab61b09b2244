// What HuggingFace's processors and warpers leave of the logits of every
// golden model, from the whole engine.
#include "tests/actors/engine_fixture.hpp"
#include "tests/golden.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

generation_request request_of(const json::value &params) {
  generation_request r;
  auto &s = r.sampling;
  s.do_sample = true;
  const auto real = [&](const char *name, float &to) {
    to = static_cast<float>(params.get_double(name, to));
  };
  real("temperature", s.temperature);
  real("top_p", s.top_p);
  real("min_p", s.min_p);
  real("typical_p", s.typical_p);
  real("epsilon_cutoff", s.epsilon_cutoff);
  real("eta_cutoff", s.eta_cutoff);
  real("repetition_penalty", s.repetition_penalty);
  s.top_k = static_cast<std::int32_t>(params.get_int("top_k", 0));
  s.no_repeat_ngram_size =
      static_cast<std::int32_t>(params.get_int("no_repeat_ngram_size", 0));
  r.max_new_tokens = 1;
  r.top_logprobs = 1000;
  r.processed_logprobs = true;
  return r;
}

} // namespace

BOOST_AUTO_TEST_SUITE(golden_processors)

BOOST_DATA_TEST_CASE(leave_what_huggingface_leaves,
                     boost::unit_test::data::make(golden_names()), name) {
  const golden g(name);
  const auto cases = g.expected.root().find("processors");
  if (!cases)
    return;
  engine_config config;
  config.model.model_id = g.directory;
  config.model.dtype = runtime::weight_dtype::f32;
  config.scheduling.max_rolling_batch_size = 2;
  config.scheduling.max_logprobs = 1000;
  engine e(config);
  e.wait_until_ready();
  const auto prompts = g.expected.root().at("prompts").items();
  for (const auto &item : cases->items()) {
    auto r = request_of(item.at("params"));
    const auto which = static_cast<std::size_t>(item.at("prompt").as_int());
    r.prompt_ids = ids_of(prompts[which].at("ids"));
    const auto got = run(e, r);
    BOOST_REQUIRE(!got->last.failed);
    const auto want = g.tensor(item.at("probs").as_string());
    const auto &top = got->last.tokens.at(0).top;
    // Where the mass is left to more tokens, noise of the logits moves some
    // that weigh next to nothing over an edge.
    double missing = 1;
    for (const auto &other : top) {
      const double p = std::exp(other.logprob);
      BOOST_TEST(std::abs(p - want[other.id]) < 2 * g.tolerance(),
                 item.at("params").dump() << " " << other.id);
      missing -= want[other.id];
    }
    BOOST_TEST(std::abs(missing) < 1e-3, item.at("params").dump());
    BOOST_TEST(std::abs(static_cast<double>(top.size()) -
                        item.at("kept").as_double()) <= 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()

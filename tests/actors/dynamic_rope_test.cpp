// Rotary embedding that follows a sequence's length, through the engine: what
// is chunked, preempted or shared changes no bit, below and beyond the original
// maximum of positions.
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// Of the golden: positions before lengths change the frequencies.
constexpr int original = 32;
constexpr int positions = 384;

engine_config dynamic_config() {
  auto config = story_config(1);
  config.model.model_id = fixture("models/llama-rope-dynamic");
  config.graph.n_positions = positions;
  config.graph.block_size = 16;
  return config;
}

generation_request request_of(int prompt, int new_tokens) {
  generation_request out;
  for (int i = 0; i < prompt; ++i)
    out.prompt_ids.push_back(3 + i * 7 % 300);
  out.max_new_tokens = new_tokens;
  out.ignore_eos = true;
  return out;
}

/// Each prompt is the one before, its answer and a token.
std::vector<std::shared_ptr<collector>> conversation(const engine_config &c) {
  ganglion::engine e(c);
  e.wait_until_ready();
  std::vector<std::shared_ptr<collector>> turns;
  auto request = request_of(17, 4);
  for (int turn = 0; turn < 5; ++turn) {
    turns.push_back(run(e, request));
    const auto &ids = turns.back()->ids;
    request.prompt_ids.insert(request.prompt_ids.end(), ids.begin(), ids.end());
    request.prompt_ids.push_back(3 + turn);
  }
  return turns;
}

} // namespace

BOOST_AUTO_TEST_SUITE(dynamic_rope)

BOOST_AUTO_TEST_CASE(prefixes_are_shared_up_to_the_original_positions) {
  auto config = dynamic_config();
  const auto found = conversation(config);
  config.scheduling.enable_prefix_caching = false;
  const auto computed = conversation(config);
  for (std::size_t i = 0; i < found.size(); ++i) {
    BOOST_TEST(found[i]->ids == computed[i]->ids,
               boost::test_tools::per_element());
    BOOST_TEST((found[i]->logprobs == computed[i]->logprobs));
    const auto &last = found[i]->last;
    BOOST_TEST((last.cached_tokens > 0) ==
               (i > 0 && last.prompt_tokens <= original));
  }
  BOOST_TEST(found.back()->last.prompt_tokens > original);
}

BOOST_AUTO_TEST_CASE(preemption_changes_no_bit_beyond_the_original_positions) {
  auto config = dynamic_config();
  std::vector<generation_request> requests;
  for (int i = 0; i < 6; ++i)
    requests.push_back(request_of(90 + 20 * i, 60 + 10 * i));
  std::vector<std::shared_ptr<collector>> alone, together;
  {
    ganglion::engine e(config);
    e.wait_until_ready();
    for (const auto &r : requests)
      alone.push_back(run(e, r));
  }
  config.graph.kv_blocks = positions / 16; // of one whole sequence
  config.graph.chunk = 24;
  ganglion::engine e(config);
  e.wait_until_ready();
  for (const auto &r : requests)
    together.push_back(start(e, r));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    together[i]->wait();
    BOOST_TEST(together[i]->ids == alone[i]->ids,
               boost::test_tools::per_element());
    BOOST_TEST((together[i]->logprobs == alone[i]->logprobs));
  }
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
  BOOST_TEST(e.status().preemptions > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

// Which features of a request go together: every pair runs with the same bits
// however it is scheduled, or is refused by name. docs/combinations.md says so;
// GANGLION_WRITE_DOCS=1 writes it.
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct feature {
  const char *name;
  void (*add)(generation_request &);
};

constexpr feature features[] = {
    {"sampling",
     [](generation_request &r) {
       r.sampling.do_sample = true;
       r.sampling.temperature = 0.9f;
     }},
    {"penalties",
     [](generation_request &r) {
       r.sampling.repetition_penalty = 1.2f;
       r.sampling.no_repeat_ngram_size = 4;
     }},
    {"n", [](generation_request &r) { r.n = 2; }},
    {"best_of", [](generation_request &r) { r.best_of = 3; }},
    {"num_beams", [](generation_request &r) { r.num_beams = 2; }},
    {"structured_outputs",
     [](generation_request &r) {
       r.structured_outputs.emplace();
       r.structured_outputs->kind = runtime::output_kind::regex;
       r.structured_outputs->text = "[A-Z][a-z ]{12,18}[.]";
     }},
    {"stop", [](generation_request &r) { r.stop = {"."}; }},
    {"min_new_tokens",
     [](generation_request &r) { r.sampling.min_new_tokens = 5; }},
    {"top_logprobs", [](generation_request &r) { r.top_logprobs = 3; }},
    {"processed_logprobs",
     [](generation_request &r) { r.processed_logprobs = true; }},
    {"prompt_logprobs", [](generation_request &r) { r.prompt_logprobs = 2; }},
    {"prompt_only", [](generation_request &r) { r.prompt_only = true; }},
};

/// Everything that a client is told, as text.
class transcript final : public event_sink {
public:
  bool push(generation_event event) override {
    const std::lock_guard lock(mutex_);
    auto &choice = choices_[event.choice];
    for (const auto &t : event.prompt)
      tell(choice, t);
    for (const auto &t : event.tokens)
      tell(choice, t);
    choice << event.text << '|' << runtime::to_string(event.finish);
    if (event.failed)
      refused_ = event.field.empty() ? event.message : event.field;
    ended_ = event.last();
    changed_.notify_all();
    return true;
  }
  std::string wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_; });
    std::string out = refused_.empty() ? "" : "refused: " + refused_;
    for (const auto &[choice, text] : choices_)
      out += std::to_string(choice) + text.str() + "\n";
    return out;
  }
  const std::string &refused() const { return refused_; }

private:
  static void tell(std::ostringstream &to, const generated_token &t) {
    to << t.id << ' ' << std::hexfloat << t.logprob << t.text;
    for (const auto &other : t.top)
      to << other.id << ' ' << other.logprob;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::int32_t, std::ostringstream> choices_;
  std::string refused_;
  bool ended_ = false;
};

generation_request pair_of(const feature &a, const feature &b) {
  auto r =
      prompt_of("Once upon a time, there was a cat and a dog. The cat", 24);
  r.seed = 3;
  a.add(r);
  b.add(r);
  return r;
}

/// All pairs at once, so that they are company for each other.
std::vector<std::shared_ptr<transcript>> run_pairs(engine_config config) {
  config.scheduling.max_rolling_batch_size = 6;
  ganglion::engine e(config);
  e.wait_until_ready();
  std::vector<std::shared_ptr<transcript>> out;
  for (const feature &a : features)
    for (const feature &b : features) {
      out.push_back(std::make_shared<transcript>());
      e.submit(pair_of(a, b), std::static_pointer_cast<event_sink>(out.back()));
    }
  for (const auto &t : out)
    t->wait();
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
  BOOST_TEST(e.status().free_kv_blocks == e.status().kv_blocks);
  return out;
}

std::string page(const std::vector<std::shared_ptr<transcript>> &outcomes) {
  std::ostringstream out;
  out << "# What goes together\n\n"
         "Every pair of a request's features, run or refused; a cell names the "
         "field of the\nrefusal. Each pair that runs gives the same tokens, "
         "log-probabilities and texts\nwith `speculative_draft_model` ngram "
         "or a draft model, without the prefix cache,\nwith blocks for few "
         "sequences, at tp_degree 1 and 2\n"
         "(`tests/actors/combinations_test.cpp`; `GANGLION_WRITE_DOCS=1` "
         "writes this page).\n\n|";
  for (const feature &f : features)
    out << " | " << f.name;
  out << " |\n|---";
  for (std::size_t i = 0; i < std::size(features); ++i)
    out << "|---";
  out << "|\n";
  std::size_t next = 0;
  for (const feature &a : features) {
    out << "| " << a.name;
    for (std::size_t i = 0; i < std::size(features); ++i) {
      const auto &refused = outcomes[next++]->refused();
      out << " | " << (refused.empty() ? "yes" : refused);
    }
    out << " |\n";
  }
  return out.str();
}

void check_same(const std::vector<std::shared_ptr<transcript>> &got,
                const std::vector<std::shared_ptr<transcript>> &want) {
  for (std::size_t i = 0; i < got.size(); ++i)
    BOOST_TEST(got[i]->wait() == want[i]->wait());
}

} // namespace

BOOST_AUTO_TEST_SUITE(combinations)

BOOST_AUTO_TEST_CASE(every_pair_runs_or_is_refused_as_the_page_says) {
  const auto outcomes = run_pairs(story_config());
  const std::string path =
      std::string(GANGLION_SOURCE_DIR) + "/docs/combinations.md";
  if (std::getenv("GANGLION_WRITE_DOCS"))
    std::ofstream(path) << page(outcomes);
  std::ostringstream written;
  written << std::ifstream(path).rdbuf();
  BOOST_TEST(written.str() == page(outcomes));
}

BOOST_AUTO_TEST_CASE(no_way_of_scheduling_changes_a_bit) {
  for (const std::int64_t degree : {1, 2}) {
    const auto config = story_config(degree);
    const auto want = run_pairs(config);
    auto computed = config;
    computed.scheduling.enable_prefix_caching = false;
    check_same(run_pairs(computed), want);
    auto crowded = config;
    crowded.graph.kv_blocks = 18;
    check_same(run_pairs(crowded), want);
    auto guessing = config;
    guessing.speculation.draft_model = "ngram";
    guessing.speculation.ngram_size = 1;
    check_same(run_pairs(guessing), want);
    auto drafting = config;
    drafting.speculation.draft_model = stories260k();
    check_same(run_pairs(drafting), want);
  }
}

BOOST_AUTO_TEST_SUITE_END()

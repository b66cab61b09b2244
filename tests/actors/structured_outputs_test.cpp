#include "tests/actors/engine_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <regex>

using namespace ganglion;
using namespace ganglion::testing;
using runtime::output_form;
using runtime::output_kind;

namespace {

class ready_engine : public engine {
public:
  explicit ready_engine(engine_config config) : engine(std::move(config)) {
    wait_until_ready();
  }
};

generation_request request_of(output_form form, std::uint64_t seed = 1) {
  auto r = prompt_of("Once upon a time", 300);
  r.structured_outputs = std::move(form);
  r.sampling.do_sample = true;
  r.sampling.temperature = 1.5f;
  r.seed = seed;
  return r;
}

const output_form person{output_kind::json,
                         R"({"type":"object","properties":{
    "name":{"type":"string","minLength":1,"maxLength":8},
    "age":{"type":"integer","minimum":1,"maximum":120},
    "tags":{"type":"array","items":{"enum":["a","b"]},"maxItems":3}},
    "required":["name","age"]})",
                         {}};

std::string text_of(engine &e, generation_request r) {
  const auto c = run(e, std::move(r));
  BOOST_TEST_REQUIRE(!c->last.failed, c->last.message);
  BOOST_TEST((c->last.finish == finish_reason::eos_token));
  return c->text;
}

void check_person(const std::string &text) {
  const auto document = json::document::parse(text, "text");
  const auto root = document.root();
  BOOST_TEST(!root.at("name").as_string().empty());
  const auto age = root.at("age").as_int();
  BOOST_TEST((age >= 1 && age <= 120), text);
}

} // namespace

BOOST_AUTO_TEST_SUITE(structured_outputs)

BOOST_AUTO_TEST_CASE(texts_have_the_form_that_was_asked_for) {
  ready_engine e(story_config());
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    check_person(text_of(e, request_of(person, seed)));
    const auto date = text_of(
        e, request_of({output_kind::regex, "\\d{4}-[01]\\d( é)?", {}}, seed));
    BOOST_TEST(std::regex_match(date, std::regex("\\d{4}-[01]\\d( é)?")), date);
    const auto word = text_of(
        e, request_of({output_kind::choice, {}, {"once", "Once more", "日"}},
                      seed));
    BOOST_TEST((word == "once" || word == "Once more" || word == "日"), word);
    const auto sum =
        text_of(e, request_of({output_kind::grammar,
                               "root ::= n (\"+\" n){1,3}\nn ::= [1-9] [0-9]?",
                               {}},
                              seed));
    BOOST_TEST(
        std::regex_match(sum, std::regex("[1-9]\\d?(\\+[1-9]\\d?){1,3}")), sum);
  }
}

BOOST_AUTO_TEST_CASE(greedy_texts_too) {
  ready_engine e(story_config());
  auto r = request_of(person);
  r.sampling = {};
  check_person(text_of(e, r));
}

BOOST_AUTO_TEST_CASE(the_same_text_alone_in_a_batch_and_with_more_ranks) {
  std::vector<std::string> alone;
  {
    ready_engine e(story_config());
    for (std::uint64_t seed = 0; seed < 6; ++seed)
      alone.push_back(text_of(e, request_of(person, seed)));
  }
  for (const std::int64_t ranks : {1, 2}) {
    ready_engine e(story_config(ranks));
    std::vector<std::shared_ptr<collector>> together;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      together.push_back(start(e, request_of(person, seed)));
      start(e, prompt_of("The", 20)); // one without a form beside it
    }
    for (std::size_t i = 0; i < together.size(); ++i) {
      together[i]->wait();
      if (ranks == 1)
        BOOST_TEST(together[i]->text == alone[i]);
      check_person(together[i]->text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_preempted_text_goes_on_where_it_was) {
  auto roomy = story_config();
  auto tight = story_config();
  tight.graph.kv_blocks = 16;
  ready_engine a(roomy), b(tight);
  const auto request = [](std::uint64_t seed) {
    auto r = request_of(person, seed);
    r.prompt.clear();
    for (std::uint64_t i = 0; i < 70; ++i)
      r.prompt_ids.push_back(static_cast<int>(3 + (seed * 31 + i * 7) % 500));
    return r;
  };
  std::vector<std::shared_ptr<collector>> all;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    all.push_back(start(b, request(seed)));
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    all[seed]->wait();
    BOOST_TEST(all[seed]->text == text_of(a, request(seed)));
  }
  BOOST_TEST(b.drain(std::chrono::seconds(60)));
  BOOST_TEST(b.status().preemptions > 0u);
}

BOOST_AUTO_TEST_CASE(guessed_tokens_change_nothing) {
  auto own = story_config(), words = story_config();
  own.speculation.draft_model = stories260k();
  own.speculation.length = 4;
  words.speculation.draft_model = "ngram";
  words.speculation.length = 8;
  ready_engine plain(story_config()), a(own), b(words);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto expected = text_of(plain, request_of(person, seed));
    BOOST_TEST(text_of(a, request_of(person, seed)) == expected);
    BOOST_TEST(text_of(b, request_of(person, seed)) == expected);
  }
  BOOST_TEST(a.status().steps < plain.status().steps);
}

BOOST_AUTO_TEST_CASE(every_choice_has_the_form) {
  ready_engine e(story_config());
  auto r = request_of({output_kind::regex, "[a-f]{2,5}!", {}});
  r.n = 3;
  r.best_of = 5;
  std::vector<std::string> texts(3);
  std::mutex mutex;
  std::condition_variable ended;
  bool last = false;
  e.submit(r, [&](const generation_event &event) {
    const std::lock_guard lock(mutex);
    BOOST_TEST(!event.failed, event.message);
    auto &text = texts[static_cast<std::size_t>(event.choice)];
    for (const auto &t : event.tokens)
      text += t.text;
    text += event.text;
    last = event.last();
    ended.notify_all();
    return true;
  });
  std::unique_lock lock(mutex);
  ended.wait(lock, [&] { return last; });
  for (const auto &text : texts)
    BOOST_TEST(std::regex_match(text, std::regex("[a-f]{2,5}!")), text);
}

BOOST_AUTO_TEST_CASE(processed_log_probs_see_the_mask) {
  ready_engine e(story_config());
  auto r = request_of({output_kind::choice, {}, {"x"}});
  r.processed_logprobs = true;
  r.top_logprobs = 3;
  const auto c = run(e, r);
  BOOST_TEST_REQUIRE(!c->last.failed, c->last.message);
  // "x", of which there are two tokens, and then the end: nothing else could
  // have come.
  BOOST_TEST(c->text == "x");
  BOOST_TEST(c->ids.size() == 2u);
  BOOST_TEST(c->logprobs.back() == 0.0f);
}

BOOST_AUTO_TEST_CASE(token_ids_as_the_prompt_and_a_text_that_is_cut_off) {
  ready_engine e(story_config());
  auto r = request_of({output_kind::regex, "(ab)+c", {}});
  r.prompt.clear();
  r.prompt_ids = {1, 403, 407};
  r.max_new_tokens = 3;
  const auto c = run(e, r);
  BOOST_TEST_REQUIRE(!c->last.failed, c->last.message);
  BOOST_TEST(std::string("ababababab").starts_with(c->text.substr(0, 2)));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused_with_its_field) {
  ready_engine e(story_config());
  struct refusal {
    output_form form;
    const char *field;
  };
  for (const auto &[form, field] :
       {refusal{{output_kind::regex, "a(", {}}, "structured_outputs.regex"},
        {{output_kind::choice, {}, {}}, "structured_outputs.choice"},
        {{output_kind::grammar, "x", {}}, "structured_outputs.grammar"},
        {{output_kind::json, R"({"items":{"not":1}})", {}},
         "structured_outputs.json.items.not"}}) {
    const auto c = run(e, request_of(form));
    BOOST_TEST(c->last.failed);
    BOOST_TEST(c->last.field == field, c->last.field);
  }
  auto endless = request_of(person);
  endless.ignore_eos = true;
  const auto c = run(e, endless);
  BOOST_TEST(c->last.failed);
  BOOST_TEST(c->last.field == "ignore_eos");
  auto beams = request_of(person);
  beams.sampling = {};
  beams.num_beams = 2;
  BOOST_TEST(run(e, beams)->last.field == "structured_outputs");
}

BOOST_AUTO_TEST_CASE(a_contradiction_ends_the_request_and_no_other) {
  ready_engine e(story_config());
  auto r = request_of({output_kind::choice, {}, {"x"}});
  r.sampling.min_new_tokens = 50;
  const auto c = run(e, r);
  BOOST_TEST(c->last.failed);
  BOOST_TEST((c->last.code == error_code::invalid_argument));
  BOOST_TEST(c->last.message.find("structured_outputs") != std::string::npos);
  BOOST_TEST(text_of(e, request_of({output_kind::choice, {}, {"x"}})) == "x");
}

BOOST_AUTO_TEST_SUITE_END()

// Every field of a request that shapes or ends its text, through the engine.
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct story_engine {
  story_engine() : device(story_config()) { device.wait_until_ready(); }

  generation_request request(std::int64_t max_new = 30) const {
    auto r = prompt_of("Once upon a time", max_new);
    r.ignore_eos = true;
    return r;
  }
  std::vector<std::int32_t> ids(const generation_request &r) {
    return run(device, r)->ids;
  }

  engine device;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(generation_fields, story_engine)

BOOST_AUTO_TEST_CASE(tokens_that_must_not_come_do_not) {
  const auto plain = ids(request());
  auto r = request();
  auto &rules = r.sampling.own_rules();
  rules.suppress_tokens = {plain[3]};
  rules.bad_words_ids = {{plain[0], plain[1]}};
  rules.begin_suppress_tokens = {};
  const auto got = ids(r);
  BOOST_TEST(std::ranges::count(got, plain[3]) == 0);
  for (std::size_t i = 1; i < got.size(); ++i)
    BOOST_TEST(!(got[i - 1] == plain[0] && got[i] == plain[1]));
  rules = {};
  r.sampling.own_rules().begin_suppress_tokens = {plain[0]};
  BOOST_TEST(ids(r)[0] != plain[0]);
}

BOOST_AUTO_TEST_CASE(tokens_that_alone_may_come_do) {
  auto r = request();
  r.sampling.own_rules().allowed_token_ids = {263, 432};
  for (const auto id : ids(r))
    BOOST_TEST((id == 263 || id == 432));
  r = request();
  r.sampling.own_rules().logit_bias = {{300, 100.0f}};
  BOOST_TEST((ids(r) == std::vector<std::int32_t>(30, 300)));
  r = request(4);
  r.sampling.own_rules().forced_eos_token_id = {2};
  BOOST_TEST(ids(r).back() == 2);
}

BOOST_AUTO_TEST_CASE(nothing_comes_twice_where_it_must_not) {
  auto r = request(60);
  r.sampling.no_repeat_ngram_size = 1;
  const auto got = ids(r);
  BOOST_TEST(std::set(got.begin(), got.end()).size() == got.size());
  const auto kinds = [&](const generation_request &wanted) {
    const auto tokens = ids(wanted);
    return std::set(tokens.begin(), tokens.end()).size();
  };
  for (const auto member : {&runtime::sampling_parameters::frequency_penalty,
                            &runtime::sampling_parameters::presence_penalty}) {
    r = request(60);
    r.sampling.*member = 2;
    BOOST_TEST(kinds(r) > kinds(request(60)));
  }
}

BOOST_AUTO_TEST_CASE(the_end_waits_for_the_least_length) {
  const auto plain = ids(request());
  auto r = request();
  r.stop_token_ids = {plain[2]};
  const auto ended = run(device, r);
  BOOST_TEST((ended->last.finish == finish_reason::stop_sequence));
  BOOST_TEST(ended->ids.size() <= 3u);
  r.sampling.min_new_tokens = 10;
  const auto later = ids(r);
  BOOST_TEST(later.size() > 10u);
  for (std::size_t i = 0; i < 10; ++i)
    BOOST_TEST(later[i] != plain[2]);
}

BOOST_AUTO_TEST_CASE(stop_strings_may_stay) {
  auto r = request();
  r.stop = {"there"};
  const auto without = run(device, r);
  r.include_stop_str_in_output = true;
  const auto with = run(device, r);
  BOOST_TEST(with->text == without->text + "there");
  BOOST_TEST((with->last.finish == finish_reason::stop_sequence));
  r.sampling.min_new_tokens = 12;
  BOOST_TEST(run(device, r)->text.size() > with->text.size());
}

BOOST_AUTO_TEST_CASE(a_request_without_a_token_fails_alone) {
  auto bad = request();
  bad.sampling.own_rules().allowed_token_ids = {5};
  bad.sampling.own_rules().suppress_tokens = {5};
  const auto beside = start(device, request(60));
  const auto got = run(device, bad);
  BOOST_TEST(got->last.failed);
  BOOST_TEST((got->last.code == error_code::invalid_argument));
  BOOST_TEST(got->last.message.find("position 5") != std::string::npos,
             got->last.message);
  beside->wait();
  BOOST_TEST(beside->ids == ids(request(60)), boost::test_tools::per_element());
  BOOST_TEST(device.status().free_kv_blocks == device.status().kv_blocks);
}

BOOST_AUTO_TEST_CASE(ids_outside_the_vocabulary_are_refused_by_name) {
  const std::pair<const char *, void (*)(runtime::token_rules &)> cases[] = {
      {"logit_bias",
       [](auto &r) {
         r.logit_bias = {{512, 1.0f}};
       }},
      {"bad_words_ids",
       [](auto &r) {
         r.bad_words_ids = {{1, -1}};
       }},
      {"allowed_token_ids", [](auto &r) { r.allowed_token_ids = {512}; }},
      {"suppress_tokens", [](auto &r) { r.suppress_tokens = {512}; }},
      {"begin_suppress_tokens",
       [](auto &r) { r.begin_suppress_tokens = {512}; }},
      {"forced_bos_token_id", [](auto &r) { r.forced_bos_token_id = 512; }},
      {"forced_eos_token_id", [](auto &r) { r.forced_eos_token_id = {512}; }},
  };
  for (const auto &[field, set] : cases) {
    auto r = request();
    set(r.sampling.own_rules());
    const auto got = run(device, r);
    BOOST_TEST(got->last.failed);
    BOOST_TEST(got->last.field == field);
  }
  auto r = request();
  r.stop_token_ids = {512};
  BOOST_TEST(run(device, r)->last.field == "stop_token_ids");
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range_are_refused_by_name) {
  using sampling = runtime::sampling_parameters;
  const std::pair<const char *, void (*)(sampling &)> cases[] = {
      {"temperature", [](auto &s) { s.temperature = 0; }},
      {"top_k", [](auto &s) { s.top_k = -1; }},
      {"top_p", [](auto &s) { s.top_p = 1.1f; }},
      {"min_p", [](auto &s) { s.min_p = -0.1f; }},
      {"typical_p", [](auto &s) { s.typical_p = 0; }},
      {"epsilon_cutoff", [](auto &s) { s.epsilon_cutoff = 2; }},
      {"eta_cutoff", [](auto &s) { s.eta_cutoff = -1; }},
      {"top_n_sigma", [](auto &s) { s.top_n_sigma = -1; }},
      {"repetition_penalty", [](auto &s) { s.repetition_penalty = 0; }},
      {"frequency_penalty", [](auto &s) { s.frequency_penalty = 2.5f; }},
      {"presence_penalty", [](auto &s) { s.presence_penalty = -2.5f; }},
      {"no_repeat_ngram_size", [](auto &s) { s.no_repeat_ngram_size = -1; }},
      {"min_new_tokens", [](auto &s) { s.min_new_tokens = -1; }},
  };
  for (const auto &[field, set] : cases) {
    auto r = request();
    set(r.sampling);
    BOOST_TEST(run(device, r)->last.field == field);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The messages between actors, one by one, without threads.
#include "actors/collectives_actor.hpp"
#include "actors/scheduler_actor.hpp"
#include "tests/actors/deterministic_system.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::actors;
using namespace ganglion::testing;

namespace {

struct shard_inbox {
  std::vector<run_step> steps;
  void add(const run_step &m) { steps.push_back(m); }
};
struct client_inbox {
  std::vector<sequence_progress> progress;
  std::vector<request_refused> refusals;
  void add(const sequence_progress &m) { progress.push_back(m); }
  void add(const request_refused &m) { refusals.push_back(m); }
};
struct engine_inbox {
  std::vector<group_lost> losses;
  std::vector<group_created> groups;
  void add(const group_lost &m) { losses.push_back(m); }
  void add(const group_created &m) { groups.push_back(m); }
};
struct rank_inbox {
  std::vector<combined> answers;
  void add(const combined &m) { answers.push_back(m); }
};

struct scheduler_fixture {
  scheduler_fixture() {
    scheduler_context context;
    context.limits.slots = 2;
    context.limits.chunk = 8;
    context.limits.block_positions = 16;
    context.limits.blocks = 8;
    context.limits.max_blocks = 4;
    context.limits.n_positions = 64;
    context.surroundings.time = time;
    context.board = board;
    context.engine = system.spawn_inbox<group_lost>(engine);
    scheduler = system.spawn_by_parent(
        [&](auto *self) { return spawn_scheduler(self, context); });
    for (auto &inbox : shards)
      shard_actors.push_back(system.spawn_inbox<run_step>(inbox));
    client_actor =
        system.spawn_inbox<sequence_progress, request_refused>(client);
    system.run();
  }

  void enqueue(request_id id) {
    runtime::sequence_request r;
    r.id.request = id;
    r.prompt = {1, 2, 3};
    r.max_new_tokens = 3;
    const auto choices =
        std::make_shared<std::vector<runtime::sequence_request>>(1, r);
    rt::post(scheduler, enqueue_sequences{id, choices, client_actor});
    system.run();
  }

  void use(std::uint64_t epoch) {
    rt::post(scheduler, use_group{epoch, shard_actors});
    system.run();
  }

  void answer(std::int64_t rank, std::size_t step, std::uint64_t epoch) {
    const auto &plan = *shards[rank]->steps[step].plan;
    auto r = std::make_shared<runtime::step_result>();
    r->id = plan.id;
    for (const auto &want : plan.logits)
      r->tokens.push_back({want.slot, 9, -1.0f});
    rt::post(scheduler, step_done{epoch, rank, r});
    system.run();
  }

  std::shared_ptr<manual_clock> time = std::make_shared<manual_clock>();
  std::shared_ptr<status_board> board = std::make_shared<status_board>();
  std::shared_ptr<engine_inbox> engine = std::make_shared<engine_inbox>();
  std::shared_ptr<client_inbox> client = std::make_shared<client_inbox>();
  std::shared_ptr<shard_inbox> shards[2] = {std::make_shared<shard_inbox>(),
                                            std::make_shared<shard_inbox>()};
  std::vector<caf::actor> shard_actors;
  caf::actor scheduler, client_actor;
  deterministic_system system;
};

} // namespace

BOOST_AUTO_TEST_SUITE(protocol)

BOOST_FIXTURE_TEST_CASE(one_plan_goes_to_all_ranks, scheduler_fixture) {
  use(1);
  enqueue(5);
  BOOST_TEST(shards[0]->steps.size() == 2u);
  BOOST_TEST(shards[0]->steps[0].plan == shards[1]->steps[0].plan);
  BOOST_TEST(shards[0]->steps[0].epoch == 1u);
  answer(0, 0, 1);
  BOOST_TEST(client->progress.empty());
  answer(1, 0, 1);
  BOOST_TEST(client->progress.size() == 1u);
  BOOST_TEST(client->progress[0].token->token == 9);
  BOOST_TEST(board->read().running == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_heartbeat_ends_at_the_scheduler, scheduler_fixture) {
  int beats = 0;
  rt::post(scheduler, heartbeat{std::make_shared<const std::function<void()>>(
                          [&] { ++beats; })});
  BOOST_TEST(beats == 0);
  system.run();
  BOOST_TEST(beats == 1);
}

BOOST_FIXTURE_TEST_CASE(steps_and_waiting_are_timed, scheduler_fixture) {
  using namespace std::chrono_literals;
  enqueue(5); // arrived at the clock's zero
  BOOST_TEST((board->read().waiting_since == time_point{}));
  time->advance(3s);
  use(1);
  time->advance(1s);
  answer(0, 0, 1);
  answer(1, 0, 1);
  BOOST_TEST((client->progress[0].queued == 3s));
  BOOST_TEST((client->progress[0].at == time_point{4s}));
  BOOST_TEST(!board->read().waiting_since);
  BOOST_TEST((board->read().step_since == time_point{4s}));
  const auto &steps = board->metrics().step_time;
  const auto of = [&](runtime::step_phase phase) {
    return steps[static_cast<std::size_t>(phase)].read().count();
  };
  BOOST_TEST(of(runtime::step_phase::prefill) == 1u);
  answer(0, 1, 1);
  answer(1, 1, 1);
  BOOST_TEST(of(runtime::step_phase::decode) == 1u);
}

BOOST_FIXTURE_TEST_CASE(answers_of_an_old_epoch_are_ignored,
                        scheduler_fixture) {
  use(1);
  enqueue(5);
  answer(0, 0, 7);
  answer(1, 0, 7);
  BOOST_TEST(client->progress.empty());
}

BOOST_FIXTURE_TEST_CASE(a_shard_that_ends_loses_the_group, scheduler_fixture) {
  use(1);
  enqueue(5);
  caf::anon_send_exit(shard_actors[1], caf::exit_reason::kill);
  system.run();
  BOOST_TEST(engine->losses.size() == 1u);
  BOOST_TEST(engine->losses[0].epoch == 1u);
  BOOST_TEST(client->refusals.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(the_timer_sees_a_stall, scheduler_fixture) {
  use(1);
  enqueue(5);
  time->advance(std::chrono::seconds(31));
  system.advance(std::chrono::seconds(1));
  BOOST_TEST(engine->losses.size() == 1u);
  BOOST_TEST((client->refusals[0].code == error_code::unavailable));
}

BOOST_FIXTURE_TEST_CASE(a_forgotten_sequence_frees_its_blocks,
                        scheduler_fixture) {
  use(1);
  enqueue(5);
  BOOST_TEST(board->read().free_kv_blocks == 7);
  rt::post(scheduler, forget_sequence{5});
  system.run();
  BOOST_TEST(board->read().free_kv_blocks == 8);
}

BOOST_AUTO_TEST_CASE(the_collectives_actor_combines_in_rank_order) {
  deterministic_system system;
  const auto engine = std::make_shared<engine_inbox>();
  const auto engine_actor = system.spawn_inbox<group_created>(engine);
  collectives_context context;
  context.kind = runtime::collectives_kind::message;
  const auto collectives = system.spawn_by_parent(
      [&](auto *self) { return spawn_collectives(self, context); });
  rt::post(collectives, create_group{1, 3, 16, false, engine_actor});
  system.run();
  BOOST_REQUIRE(engine->groups.size() == 1u);
  std::shared_ptr<rank_inbox> inboxes[3];
  const float parts[3] = {1e8f, 1.0f, -1e8f};
  const auto contribute = [&](int rank, std::uint64_t count) {
    if (!inboxes[rank])
      inboxes[rank] = std::make_shared<rank_inbox>();
    contribution c;
    c.epoch = 1;
    c.rank = rank;
    c.tag = {0, neuron::collective_kind::all_reduce, count};
    c.data = std::make_shared<const std::vector<float>>(1, parts[rank]);
    c.reply_to = system.spawn_inbox<combined>(inboxes[rank]);
    rt::post(collectives, c);
    system.run();
  };
  // Arrival in any order; the sum is (1e8 + 1) - 1e8, which rounds to 0.
  contribute(2, 1);
  contribute(0, 1);
  BOOST_TEST(inboxes[0]->answers.empty());
  contribute(1, 1);
  for (const auto &inbox : inboxes) {
    BOOST_REQUIRE(inbox->answers.size() == 1u);
    BOOST_TEST(inbox->answers[0].data->at(0) == 0.0f);
  }
  BOOST_TEST(engine->groups[0].group->statistics().all_reduces == 1u);
  // A rank that brings another count ends the collective for all.
  contribute(0, 1);
  contribute(1, 2);
  BOOST_TEST(
      (inboxes[0]->answers[1].status == neuron::collective_status::mismatched));
  BOOST_TEST(
      (inboxes[1]->answers[1].status == neuron::collective_status::mismatched));
}

BOOST_AUTO_TEST_SUITE_END()

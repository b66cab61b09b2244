// All messages between actors, in one place. They stay inside one process, so
// payloads travel as shared pointers and are never serialised.
#pragma once

#include "actors/engine.hpp"
#include "neuron/collectives/communicator.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/shard/loaded_model.hpp"

#include <caf/actor.hpp>
#include <caf/allowed_unsafe_message_type.hpp>

#include <memory>
#include <vector>

namespace ganglion::actors {

// --- to the engine ---------------------------------------------------------

/// A host's or facade's request. Events go to `sink`.
struct submit_request {
  request_id id = 0;
  std::shared_ptr<const generation_request> request;
  std::shared_ptr<event_sink> sink;
  time_point arrived{};
};
struct cancel_request {
  request_id id = 0;
};
/// No new requests from now on.
struct begin_drain {};
struct stop_engine {};
/// Goes through the engine and the scheduler; the last to get it calls.
struct heartbeat {
  std::shared_ptr<const std::function<void()>> answer;
};

struct model_loaded {
  std::shared_ptr<const runtime::loaded_model> model;
};
/// Loading failed, in the loader or on a rank.
struct load_failed {
  std::shared_ptr<const error> why;
  std::uint64_t epoch = 0;
};
struct shard_ready {
  std::int64_t rank = 0;
  std::uint64_t epoch = 0;
};
/// The scheduler gave up on the group of `epoch`.
struct group_lost {
  std::uint64_t epoch = 0;
  std::string reason;
};

// --- to the tokenizer and back to the request ------------------------------

struct encode_prompt {
  std::shared_ptr<const generation_request> request;
  caf::actor reply_to;
};
struct prompt_encoded {
  std::vector<std::int32_t> ids;
  /// Of the request's `structured_outputs`.
  std::shared_ptr<runtime::grammar::token_grammar> grammar;
};
/// A text that follows a grammar has a new token: what may come next is found
/// out while the device computes. Nothing depends on it but the time it takes.
struct follow_grammar {
  std::shared_ptr<runtime::grammar::cursor> text;
  std::int32_t token = 0;
};
struct request_refused {
  error_code code = error_code::internal;
  std::string message, field;
};

// --- to the scheduler ------------------------------------------------------

/// The choices of one request, at least one.
struct enqueue_sequences {
  request_id id = 0;
  std::shared_ptr<std::vector<runtime::sequence_request>> choices;
  caf::actor owner;
};
/// The request ended (cancelled), or a choice of it (a stop string matched).
struct forget_sequence {
  request_id id = 0;
  std::optional<std::int32_t> choice = std::nullopt; ///< nothing: all
};
/// A group of shards to run steps on.
struct use_group {
  std::uint64_t epoch = 0;
  std::vector<caf::actor> shards;
};
struct step_done {
  std::uint64_t epoch = 0;
  std::int64_t rank = 0;
  std::shared_ptr<const runtime::step_result> result;
};
/// The scheduler's one timer; older generations are ignored.
struct timer_fired {
  std::uint64_t generation = 0;
};
/// The engine is gone: everything queued or running fails.
struct fail_all {
  error_code code = error_code::unavailable;
  std::string message;
};

// --- to a request ----------------------------------------------------------

struct sequence_progress {
  std::int32_t choice = 0;
  std::optional<runtime::sampled_token> token;
  std::optional<runtime::sampled_token> prompt_token;
  std::vector<runtime::token_score> top; ///< alternatives of either
  finish_reason finish = finish_reason::none;
  std::vector<float> logits;      ///< one row of prompt logits
  std::int64_t cached_tokens = 0; ///< of the prompt, found computed
  runtime::guess_counts guesses;  ///< of the choice so far
  duration queued{};              ///< before its first step
  time_point at{};                ///< when it was known
};
/// The client cancelled.
struct stop_request {};

// --- to a shard ------------------------------------------------------------

struct join_group {
  std::shared_ptr<neuron::communicator> group;
};
struct run_step {
  std::uint64_t epoch = 0;
  std::shared_ptr<const runtime::step_plan> plan;
  caf::actor reply_to;
};

// --- to the collectives actor and back -------------------------------------

struct create_group {
  std::uint64_t epoch = 0;
  int ranks = 1;
  std::size_t capacity = 0; ///< floats of the largest all-reduce
  bool spin = false;        ///< every rank has a core of its own
  caf::actor reply_to;
};
struct group_created {
  std::uint64_t epoch = 0;
  std::shared_ptr<neuron::communicator> group;
};
/// Abort the group when one of these ends.
struct watch_shards {
  std::uint64_t epoch = 0;
  std::vector<caf::actor> shards;
};
struct abort_group {
  std::uint64_t epoch = 0;
};
/// A rank's part of a collective, when collectives travel as messages.
struct contribution {
  std::uint64_t epoch = 0;
  int rank = 0;
  neuron::collective_tag tag;
  std::shared_ptr<const std::vector<float>> data;
  caf::actor reply_to;
};
/// The sum, or all parts one after the other in rank order.
struct combined {
  std::uint64_t sequence = 0;
  neuron::collective_status status = neuron::collective_status::ok;
  std::shared_ptr<const std::vector<float>> data;
};

} // namespace ganglion::actors

#define GANGLION_MESSAGE(type)                                                 \
  CAF_ALLOW_UNSAFE_MESSAGE_TYPE(ganglion::actors::type)
GANGLION_MESSAGE(submit_request)
GANGLION_MESSAGE(cancel_request)
GANGLION_MESSAGE(begin_drain)
GANGLION_MESSAGE(stop_engine)
GANGLION_MESSAGE(heartbeat)
GANGLION_MESSAGE(model_loaded)
GANGLION_MESSAGE(load_failed)
GANGLION_MESSAGE(shard_ready)
GANGLION_MESSAGE(group_lost)
GANGLION_MESSAGE(encode_prompt)
GANGLION_MESSAGE(prompt_encoded)
GANGLION_MESSAGE(follow_grammar)
GANGLION_MESSAGE(request_refused)
GANGLION_MESSAGE(enqueue_sequences)
GANGLION_MESSAGE(forget_sequence)
GANGLION_MESSAGE(use_group)
GANGLION_MESSAGE(step_done)
GANGLION_MESSAGE(timer_fired)
GANGLION_MESSAGE(fail_all)
GANGLION_MESSAGE(sequence_progress)
GANGLION_MESSAGE(stop_request)
GANGLION_MESSAGE(join_group)
GANGLION_MESSAGE(run_step)
GANGLION_MESSAGE(create_group)
GANGLION_MESSAGE(group_created)
GANGLION_MESSAGE(watch_shards)
GANGLION_MESSAGE(abort_group)
GANGLION_MESSAGE(contribution)
GANGLION_MESSAGE(combined)
#undef GANGLION_MESSAGE
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(ganglion::runtime::generation_event)

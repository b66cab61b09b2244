#include "apps/metrics/metric_table.hpp"

namespace ganglion::apps {

namespace {

using source = const metric_sources &;
using writer = family_writer &;
constexpr auto counter = prometheus::MetricType::Counter;
constexpr auto gauge = prometheus::MetricType::Gauge;
constexpr auto spread = prometheus::MetricType::Histogram;

template <class T>
double real(T n) {
  return static_cast<double>(n);
}

double seconds(std::uint64_t nanoseconds) { return real(nanoseconds) * 1e-9; }

/// Since a moment that may not be.
double age(source from, const std::optional<time_point> &since) {
  if (!since || *since > from.now)
    return 0;
  return std::chrono::duration<double>(from.now - *since).count();
}

/// A number of the engine's status.
template <auto member>
void status(source from, writer out) {
  out.value(real(from.status.*member));
}

template <auto member>
void guesses(source from, writer out) {
  out.value(real(from.status.guesses.*member));
}

template <auto member>
void times(source from, writer out) {
  out.spread((from.engine.*member).read());
}

void finished(source from, writer out) {
  for (std::size_t i = 0; i < request_ends; ++i)
    out.value(real(from.status.finished[i]), "finished_reason",
              to_string(static_cast<request_end>(i)));
}

void rejected(source from, writer out) {
  for (std::size_t i = 0; i < engine_metrics::codes; ++i)
    out.value(real(from.engine.rejected[i].read()), "reason",
              to_string(static_cast<error_code>(i)));
}

void kv_use(source from, writer out) {
  const auto &s = from.status;
  out.value(s.kv_blocks == 0
                ? 0
                : real(s.kv_blocks - s.free_kv_blocks) / real(s.kv_blocks));
}

void states(source from, writer out) {
  for (const auto state :
       {engine_state::loading, engine_state::ready, engine_state::rebuilding,
        engine_state::draining, engine_state::failed, engine_state::stopped})
    out.value(from.status.state == state ? 1 : 0, "state", to_string(state));
}

template <class F>
void each_phase(F write) {
  for (std::size_t i = 0; i < engine_metrics::phases; ++i)
    write(i, to_string(static_cast<runtime::step_phase>(i)));
}

void step_times(source from, writer out) {
  each_phase([&](std::size_t i, std::string_view phase) {
    out.spread(from.engine.step_time[i].read(), "phase", phase);
  });
}

void step_rows(source from, writer out) {
  each_phase([&](std::size_t i, std::string_view phase) {
    out.value(real(from.engine.step_rows[i].read()), "phase", phase);
  });
}

/// A number of each core.
template <class F>
void each_core(source from, writer out, F number) {
  for (const auto &core : from.status.cores) {
    const auto rank = static_cast<std::size_t>(core.rank);
    if (rank < engine_metrics::most_cores)
      out.value(number(core, from.engine.cores[rank]), "core",
                std::to_string(rank));
  }
}

void core_memory(source from, writer out) {
  each_core(from, out, [](const core_status &core, const core_metrics &) {
    return real(core.reserved_bytes);
  });
}

void core_budget(source from, writer out) {
  each_core(from, out, [](const core_status &core, const core_metrics &) {
    return real(core.budget_bytes);
  });
}

void core_busy(source from, writer out) {
  each_core(from, out, [](const core_status &, const core_metrics &m) {
    return seconds(m.nanoseconds.read());
  });
}

void core_collectives(source from, writer out) {
  each_core(from, out, [](const core_status &, const core_metrics &m) {
    return seconds(m.collective_nanoseconds.read());
  });
}

void mailboxes(source from, writer out) {
  out.value(real(from.engine.engine_mailbox.read()), "actor", "engine");
  out.value(real(from.engine.scheduler_mailbox.read()), "actor", "scheduler");
  for (const auto &core : from.status.cores) {
    const auto rank = static_cast<std::size_t>(core.rank);
    if (rank < engine_metrics::most_cores)
      out.value(real(from.engine.cores[rank].mailbox.read()), "actor",
                "core " + std::to_string(rank));
  }
}

void responses(source from, writer out) {
  for (const auto &[code, count] : from.server.responses)
    out.value(real(count), "status", std::to_string(code));
}

const metric_row table[] = {
    {"requests_accepted_total", counter, "Requests that the engine took",
     status<&engine_status::accepted>},
    {"request_success_total", counter,
     "Requests that ended, by reason; with those that run and wait these are "
     "all that were taken",
     finished},
    {"requests_rejected_total", counter,
     "Requests that the engine did not take, by reason", rejected},
    {"num_requests_running", gauge, "Requests with a sequence in the batch",
     status<&engine_status::running_requests>},
    {"num_requests_waiting", gauge,
     "Requests that wait for the tokenizer or for a place in the batch",
     [](source from, writer out) {
       out.value(real(from.status.waiting_requests()));
     }},
    {"num_sequences_running", gauge, "Sequences in the batch",
     status<&engine_status::running>},
    {"num_sequences_waiting", gauge, "Sequences that wait for a place",
     status<&engine_status::waiting>},
    {"queue_age_seconds", gauge, "Age of the request that waits longest",
     [](source from, writer out) {
       out.value(age(from, from.status.waiting_since));
     }},
    {"request_queue_time_seconds", spread,
     "From arrival to the first step that computes some of a request",
     times<&engine_metrics::queue_time>},
    {"time_to_first_token_seconds", spread, "From arrival to the first token",
     times<&engine_metrics::first_token>},
    {"inter_token_latency_seconds", spread, "Between two tokens of a sequence",
     times<&engine_metrics::token_gap>},
    {"e2e_request_latency_seconds", spread,
     "From arrival to the end, of requests that did not fail",
     times<&engine_metrics::whole_time>},
    {"prompt_tokens_total", counter, "Tokens of prompts",
     [](source from, writer out) {
       out.value(real(from.engine.prompt_tokens.read()));
     }},
    {"generation_tokens_total", counter, "Tokens generated",
     status<&engine_status::tokens>},
    {"prefix_cache_queries_total", counter,
     "Positions of sequences that entered the batch",
     status<&engine_status::admitted_positions>},
    {"prefix_cache_hits_total", counter,
     "Of those positions, the ones found computed",
     status<&engine_status::cached_positions>},
    {"spec_decode_num_draft_tokens_total", counter,
     "Guesses of next tokens that steps judged",
     guesses<&runtime::guess_counts::judged>},
    {"spec_decode_num_accepted_tokens_total", counter,
     "Of those guesses, the ones that were right",
     guesses<&runtime::guess_counts::held>},
    {"kv_cache_usage_ratio", gauge, "KV blocks in use, from 0 to 1", kv_use},
    {"kv_blocks", gauge, "KV blocks of each core",
     status<&engine_status::kv_blocks>},
    {"kv_blocks_free", gauge, "KV blocks that are free",
     status<&engine_status::free_kv_blocks>},
    {"num_preemptions_total", counter,
     "Sequences that gave up their blocks for older ones",
     status<&engine_status::preemptions>},
    {"steps_total", counter, "Steps planned", status<&engine_status::steps>},
    {"step_duration_seconds", spread, "Steps on the device, by phase",
     step_times},
    {"step_rows_total", counter, "Token rows of those steps, by phase",
     step_rows},
    {"step_age_seconds", gauge, "Since when the step at hand runs",
     [](source from, writer out) {
       out.value(age(from, from.status.step_since));
     }},
    {"core_busy_seconds_total", counter, "Time in steps, by core", core_busy},
    {"core_collective_seconds_total", counter,
     "Time in collectives, by core: work and waiting for other ranks",
     core_collectives},
    {"core_memory_bytes", gauge, "Memory reserved, by core", core_memory},
    {"core_memory_budget_bytes", gauge, "Memory that may be, by core",
     core_budget},
    {"all_reduces_total", counter, "All-reduces of the group",
     status<&engine_status::all_reduces>},
    {"all_gathers_total", counter, "Other collectives of the group",
     status<&engine_status::all_gathers>},
    {"mailbox_depth", gauge,
     "Messages taken over but not handled when an actor had handled one",
     mailboxes},
    {"rebuilds_total", counter, "Groups of cores that were built again",
     status<&engine_status::rebuilds>},
    {"engine_state", gauge, "1 for the state that the engine is in", states},
    {"http_responses_total", counter, "Responses, by status; 0: none was sent",
     responses},
    {"http_abandoned_total", counter,
     "Requests whose client left or was given up",
     [](source from, writer out) { out.value(real(from.server.abandoned)); }},
    {"http_request_duration_seconds", spread,
     "From a request to the end of its response",
     [](source from, writer out) { out.spread(from.server.took.read()); }},
};

} // namespace

std::span<const metric_row> metric_table() { return table; }

} // namespace ganglion::apps

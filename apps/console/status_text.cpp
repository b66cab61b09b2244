#include "apps/console/status_text.hpp"

#include "runtime/json/writer.hpp"

namespace ganglion::apps {

namespace {

std::int64_t whole(std::uint64_t n) { return static_cast<std::int64_t>(n); }

double seconds(const relaxed_number &nanoseconds) {
  return static_cast<double>(nanoseconds.read()) * 1e-9;
}

void write_requests(json::writer &out, const engine_status &s) {
  out.key("requests").begin_object();
  out.key("accepted").integer(whole(s.accepted));
  out.key("running").integer(whole(s.running_requests));
  out.key("waiting").integer(whole(s.waiting_requests()));
  out.key("sequences").integer(whole(s.running));
  for (std::size_t i = 0; i < request_ends; ++i)
    out.key(to_string(static_cast<request_end>(i)))
        .integer(whole(s.finished[i]));
  out.end_object();
}

void write_steps(json::writer &out, const status_sources &from) {
  std::uint64_t all = 0;
  double time = 0;
  json::writer phases;
  phases.begin_object();
  for (std::size_t i = 0; i < engine_metrics::phases; ++i) {
    const auto spread = from.metrics.step_time[i].read();
    all += spread.count();
    time += spread.sum;
    phases.key(to_string(static_cast<runtime::step_phase>(i))).begin_object();
    phases.key("steps").integer(whole(spread.count()));
    phases.key("seconds").real(spread.sum);
    phases.key("rows").integer(whole(from.metrics.step_rows[i].read()));
    phases.end_object();
  }
  phases.end_object();
  out.key("steps").begin_object();
  out.key("count").integer(whole(all));
  out.key("seconds").real(time);
  out.key("phases").raw(phases.text());
  out.end_object();
}

void write_actor(json::writer &out, const std::string &name,
                 const relaxed_number &mailbox) {
  out.begin_object();
  out.key("name").string(name);
  out.key("mailbox").integer(whole(mailbox.read()));
  out.end_object();
}

void write_core(json::writer &out, const core_status &core,
                const core_metrics &metrics) {
  out.begin_object();
  out.key("rank").integer(core.rank);
  out.key("ready").boolean(core.ready);
  out.key("threads").integer(core.threads);
  out.key("memory_bytes").integer(whole(core.reserved_bytes));
  out.key("budget_bytes").integer(whole(core.budget_bytes));
  out.key("steps").integer(whole(metrics.steps.read()));
  out.key("busy_seconds").real(seconds(metrics.nanoseconds));
  out.key("collective_seconds").real(seconds(metrics.collective_nanoseconds));
  out.key("last_step_ms").real(seconds(metrics.last_step_nanoseconds) * 1e3);
  out.end_object();
}

template <class F>
void each_core(const status_sources &from, F write) {
  for (const auto &core : from.status.cores)
    if (const auto rank = static_cast<std::size_t>(core.rank);
        rank < engine_metrics::most_cores)
      write(core, from.metrics.cores[rank]);
}

} // namespace

std::string status_text(const status_sources &from) {
  const auto &s = from.status;
  json::writer out;
  out.begin_object();
  out.key("state").string(to_string(s.state));
  out.key("message").string(s.message);
  out.key("model").string(from.model);
  out.key("family").string(s.family);
  out.key("chat").boolean(from.chat);
  out.key("positions").integer(s.n_positions);
  out.key("tp_degree").integer(s.tp_degree);
  write_requests(out, s);
  out.key("tokens").begin_object();
  out.key("prompt").integer(whole(from.metrics.prompt_tokens.read()));
  out.key("generated").integer(whole(s.tokens)).end_object();
  out.key("kv").begin_object();
  out.key("blocks").integer(s.kv_blocks);
  out.key("free").integer(s.free_kv_blocks).end_object();
  out.key("cache").begin_object();
  out.key("queries").integer(whole(s.admitted_positions));
  out.key("hits").integer(whole(s.cached_positions)).end_object();
  out.key("preemptions").integer(whole(s.preemptions));
  out.key("rebuilds").integer(whole(s.rebuilds));
  write_steps(out, from);
  out.key("actors").begin_array();
  write_actor(out, "engine", from.metrics.engine_mailbox);
  write_actor(out, "scheduler", from.metrics.scheduler_mailbox);
  each_core(from, [&](const core_status &core, const core_metrics &metrics) {
    write_actor(out, "core " + std::to_string(core.rank), metrics.mailbox);
  });
  out.end_array().key("cores").begin_array();
  each_core(from, [&](const core_status &core, const core_metrics &metrics) {
    write_core(out, core, metrics);
  });
  out.end_array().end_object();
  return out.text();
}

} // namespace ganglion::apps

// The public face for C++ hosts: an engine that loads one model and serves
// requests. No CAF in this header; see hosted_engine.hpp for hosts that have
// an actor system of their own.
#pragma once

#include "actors/engine_metrics.hpp"
#include "runtime/config/engine_config.hpp"
#include "runtime/generation/generation_event.hpp"
#include "runtime/generation/generation_request.hpp"

#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {
struct loaded_model;
}

namespace ganglion {

using runtime::engine_config;
using runtime::event_sink;
using runtime::finish_reason;
using runtime::generated_token;
using runtime::generation_event;
using runtime::generation_request;
using runtime::request_id;
using runtime::sampling_parameters;

enum class engine_state {
  loading,
  ready,
  rebuilding, ///< a shard was lost; requests stay queued
  draining,
  failed, ///< loading failed; see engine_status::message
  stopped,
};
std::string_view to_string(engine_state state);

/// Why a request ended, as `engine_status::finished` counts them.
enum class request_end { length, eos_token, stop_sequence, cancelled, failed };
inline constexpr std::size_t request_ends = 5;
std::string_view to_string(request_end end);

/// A core and what is reserved of its memory.
struct core_status {
  std::int64_t rank = 0;
  std::size_t reserved_bytes = 0, budget_bytes = 0;
  int threads = 0;
  bool ready = false;
};

/// A consistent look at an engine.
struct engine_status {
  engine_state state = engine_state::loading;
  std::string message; ///< why it failed
  error_code code = error_code::internal;
  std::string field;

  std::string family;
  std::int64_t tp_degree = 0, n_positions = 0, vocabulary = 0;
  /// Step graphs, and how many of them this start had to compile.
  std::size_t programs = 0, compilations = 0;
  std::size_t running = 0, waiting = 0; ///< sequences
  /// Requests that were taken, and how those that ended did. The others run,
  /// or wait: for the tokenizer or for a place.
  std::uint64_t accepted = 0;
  std::array<std::uint64_t, request_ends> finished{};
  std::size_t running_requests = 0;
  std::optional<time_point> waiting_since, step_since;
  std::int64_t kv_blocks = 0, free_kv_blocks = 0;
  std::uint64_t steps = 0, tokens = 0, preemptions = 0, rebuilds = 0;
  /// Positions of admitted sequences, and those of them found computed.
  std::uint64_t admitted_positions = 0, cached_positions = 0;
  runtime::guess_counts guesses; ///< of tokens (speculation)
  double step_seconds = 0;       ///< that all steps took on the device
  std::uint64_t all_reduces = 0, all_gathers = 0, collective_floats = 0;
  std::vector<core_status> cores;

  std::uint64_t ended_requests() const {
    return std::accumulate(finished.begin(), finished.end(), std::uint64_t{0});
  }
  std::size_t waiting_requests() const {
    return accepted - ended_requests() - running_requests;
  }
};

/// Long work reports itself: what is being done and how much of it is done.
struct load_report {
  std::string phase; ///< "compile", "load weights"
  double fraction = 0;
};
using load_observer = std::function<void(const load_report &)>;

/// Owns an actor system and the engine actor in it. All methods may be called
/// from any thread.
class engine {
public:
  /// Starts loading and returns at once. `observer`, when given, is called
  /// from the loading threads, one call at a time.
  explicit engine(engine_config config, load_observer observer = {});
  /// Stops without draining.
  ~engine();
  engine(const engine &) = delete;
  engine &operator=(const engine &) = delete;

  /// Blocks until the engine is ready; throws the error that loading met.
  void wait_until_ready();

  /// Never blocks. Everything about the request, refusals included, is told
  /// to `sink`, which the engine keeps until the last event.
  request_id submit(generation_request request,
                    std::shared_ptr<event_sink> sink);
  /// The same with a function; it returns false to cancel.
  request_id submit(generation_request request,
                    std::function<bool(generation_event)> on_event);

  /// Ends a request with finish reason `cancelled`; unknown ids are ignored.
  void cancel(request_id id);

  /// Refuses new requests and blocks until all others have ended or `limit`
  /// has passed; false in the second case.
  bool drain(duration limit);

  engine_status status() const;
  /// Valid as long as the engine.
  const engine_metrics &metrics() const;

  /// Never blocks. `alive` is called once, from a thread of the engine's, when
  /// the engine and the scheduler have taken a message each, or not at all.
  void heartbeat(std::function<void()> alive) const;

  /// What was loaded, for saving it; null before and after.
  std::shared_ptr<const runtime::loaded_model> model() const;

private:
  class implementation;
  std::unique_ptr<implementation> self_;
};

} // namespace ganglion

// The engine's whole configuration as plain, typed, immutable data; nothing
// below reads options, files or the environment.
#pragma once

#include "hlo/decoder/graph_options.hpp"
#include "runtime/config/access_config.hpp"
#include "runtime/config/option_values.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {

enum class weight_dtype { as_stored, f32, f16, bf16 };
enum class collectives_kind { lease, message };

/// In each struct, 0 means "decided when the model is known" where it says so.
struct model_config {
  std::string model_id; ///< a directory
  std::string model_name;
  weight_dtype dtype = weight_dtype::as_stored;
  std::optional<double> rope_theta; ///< in place of the model's own
  std::string rope_scaling;         ///< the same, JSON; empty: the model's own
  std::string chat_template = {};   ///< a file; empty: the model's own
  bool load_split_model = false;    ///< only the split form will do
  bool low_cpu_mem_usage = false;   ///< forget each tensor once it is packed
  /// A directory that `save_artifacts` wrote; empty: the model's own
  /// `compiled` if there is one; "none": not even that.
  std::string compiled_graph_path = {};
  std::string artifact_cache = {};        ///< a directory; empty: none
  std::uint64_t artifact_cache_least = 0; ///< for models of so many bytes
  /// Bytes that it may take; 0: no limit.
  std::uint64_t artifact_cache_limit = std::uint64_t{64} << 30;
  /// Until the engine is ready, longer is a failure.
  std::optional<std::chrono::duration<double>> loading_timeout = std::nullopt;
};

/// The most token rows that a step may have.
inline constexpr std::int64_t max_chunk = 65536;

struct graph_config {
  std::int64_t tensor_parallel_degree = 1; ///< 0: all cores of the instance
  std::string instance = "host";
  collectives_kind collectives = collectives_kind::lease;
  hlo::weight_quantisation quantize;
  hlo::cache_quantisation kv_cache_quant = hlo::cache_quantisation::none;
  hlo::group_query group_query_attention = hlo::group_query::automatic;
  bool shard_over_sequence = false;
  hlo::expert_sharding experts = hlo::expert_sharding::split;
  std::optional<bool> pad_heads;          ///< nothing: on NeuronCore profiles
  std::int64_t threads = 0;               ///< 0: as many as CPUs are allowed
  std::int64_t most_threads_per_rank = 0; ///< 0: no limit besides
  /// Cores that the model may take, ascending; none: all.
  std::vector<std::int64_t> visible_cores;
  std::int64_t n_positions = 0; ///< 0: the model's own limit
  std::int64_t chunk = 0;       ///< token rows per step; 0: the largest bucket
  /// Row counts that step graphs are compiled for besides the chunk; empty:
  /// a ladder of eights.
  std::vector<std::int64_t> context_length_estimate;
  /// Row counts besides those; ascending, none for a batch of one size.
  std::vector<std::int64_t> batch_sizes;
  bool output_all_logits = false;         ///< a step's rows may all have logits
  std::int64_t neuron_optimize_level = 2; ///< 1, 2 or 3
  hlo::graph_form form;
  std::int64_t block_size = 32; ///< positions per KV block
  std::int64_t kv_blocks = 0;   ///< 0: enough for a full batch
};

struct scheduling_config {
  std::int64_t max_rolling_batch_size = 32;
  std::int64_t job_queue_size = 1000;
  bool enable_prefix_caching = true;
  std::int64_t max_new_tokens = 30;      ///< of requests that do not say
  std::int64_t max_new_tokens_limit = 0; ///< 0: n_positions
  std::int64_t max_prompt_length = 0;    ///< 0: n_positions
  std::int64_t max_logprobs = 20;        ///< alternatives at each token
  std::optional<std::chrono::duration<double>> request_timeout;
  std::optional<std::uint64_t> seed; ///< nothing: random for each request
  /// Nothing: what the engine's surroundings say.
  std::optional<std::chrono::duration<double>> step_timeout;
  std::optional<std::int64_t> retry_threshold; ///< the same
  /// That prompts may lengthen a step to which texts wait for.
  std::optional<std::chrono::duration<double, std::milli>> step_time_budget;
};

struct server_config {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080; ///< 0: any free one
  std::uint64_t max_request_size = 64 << 20;
  bool strict = false;
  bool wait_model_loading = false; ///< accept connections only then
  bool allow_multi_status = false; ///< /ping: 207 while loading
  std::string log_level = "info";
  access_config access = {};
};

struct speculation_config {
  static constexpr const char *ngram = "ngram";
  /// Who guesses tokens: empty: nobody; `ngram`: the sequence's own past; else
  /// the directory of a model.
  std::string draft_model = {};
  std::int64_t length = 5;        ///< guesses in a row at most
  std::int64_t ngram_size = 3;    ///< tokens that must have stood before
  std::int64_t tp_degree = 0;     ///< of the draft model; 0: automatic
  std::string compiled_path = {}; ///< its `compiled_graph_path`

  bool on() const { return !draft_model.empty(); }
  bool has_model() const { return on() && draft_model != ngram; }
};

struct engine_config {
  model_config model;
  graph_config graph;
  scheduling_config scheduling;
  server_config server;
  speculation_config speculation;
};

/// The name that a model is served under: what is no letter, digit or '_'
/// becomes '_'.
std::string served_name(std::string_view name);

/// Makes the configuration from the values of `engine_options()`, checking
/// what concerns more than one option. Throws `invalid_argument` naming key
/// and origin.
engine_config make_engine_config(const option_values &values);

} // namespace ganglion::runtime

// One model in one element type and tensor-parallel degree, ready to be
// measured phase by phase, in itself and through an engine.
#pragma once

#include "actors/engine.hpp"
#include "benchmarks/roofline/roofline.hpp"
#include "benchmarks/step/plan_maker.hpp"
#include "benchmarks/step/rank_group.hpp"
#include "benchmarks/step/step_cost.hpp"

namespace ganglion::benchmarks {

/// What is measured: the same for all subjects of a run.
struct step_settings {
  std::int64_t prompt = 128;         ///< tokens of each sequence
  std::int64_t steps = 32;           ///< decoded in each sample
  std::vector<std::int64_t> batches; ///< sequences decoded together
  bool engine = true;                ///< also through the actors
};

/// A prompt of `prompt` tokens fed in chunks (batch 0), or the next token of
/// `batch` sequences.
struct phase_samples {
  std::int64_t batch = 0;
  step_work work; ///< of a step; of all chunks for the prompt
  /// One entry per repetition. Nanoseconds of a step, or of all chunks:
  std::vector<double> program = {}, whole = {};
  std::vector<double> collective_share = {}; ///< of `program`
  std::vector<double> allocations = {};      ///< per step
  std::vector<double> operation_rate = {},
                      byte_rate = {}; ///< per second of `program`
  std::vector<double> peak_share = {},
                      read_share = {}; ///< of the machine's rates
  std::vector<double> limit_share =
      {};                        ///< the machine's least time / `program`
  std::vector<double> sink = {}; ///< nanoseconds at the sinks, as `whole`
};

class step_subject {
public:
  /// Loads the model, and an engine with it if wanted. Throws what loading
  /// throws, and `invalid_argument` when prompt and steps exceed the model.
  step_subject(const engine_config &config, const step_settings &settings);

  /// One sample of each phase. The machine's rates are taken right before and
  /// after each, since they change with the neighbours.
  void repeat();

  /// "bf16", or "bf16 static_int8" where weights of layers are int8.
  std::string type() const;
  std::int64_t tp_degree() const { return plan().tp_degree(); }
  std::string threads() const { return group_.describe(); }
  const std::vector<phase_samples> &phases() const { return phases_; }

private:
  const runtime::model_plan &plan() const { return group_.model().plan; }
  void prefill(std::int64_t slot, phase_samples *into);
  void decode(phase_samples &into);
  void through_engine(phase_samples &into);
  step_work prompt_work() const;
  double peak() const;
  double read_rate(double bytes) const;
  void add_rates(phase_samples &into, double program, double peak,
                 double read) const;

  step_settings settings_;
  rank_group group_;
  step_cost cost_;
  plan_maker plans_;
  const probe_kernels &kernels_;
  read_probe probe_;
  std::unique_ptr<ganglion::engine> engine_;
  std::vector<phase_samples> phases_;
};

} // namespace ganglion::benchmarks

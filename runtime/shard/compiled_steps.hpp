// The programs of all buckets of a model, compiled once and shared by the
// ranks of a group.
#pragma once

#include "neuron/cpu/isa.hpp"
#include "neuron/program.hpp"
#include "runtime/artifacts/artifact_set.hpp"
#include "runtime/shard/model_plan.hpp"

#include <memory>
#include <vector>

namespace ganglion::runtime {

/// Immutable; any thread may read.
class compiled_steps {
public:
  /// Builds every bucket, in parallel, and compiles those that `artifacts`,
  /// when given, does not have.
  static std::shared_ptr<const compiled_steps>
  compile(const hlo::decoder_spec &spec, const model_plan &plan,
          neuron::isa set, const artifact_set *artifacts = nullptr);

  struct bucket {
    std::int64_t rows, logit_rows;
    /// Gives the logits: the whole step, or its end.
    std::shared_ptr<const neuron::program> code;
    /// Before the end: the beginning, and what is run for some layers at a
    /// time; null for a whole step.
    std::shared_ptr<const neuron::program> begin = {}, layers = {};
  };

  /// The smallest bucket that takes `rows` token rows.
  const bucket &for_rows(std::int64_t rows) const;
  const std::vector<bucket> &buckets() const { return buckets_; }

  /// The same in every bucket.
  const std::vector<hlo::weight_parameter> &weights() const { return weights_; }
  /// As in `step_graph`.
  const std::optional<hlo::weight_parameter> &host_embedding() const {
    return host_embedding_;
  }
  hlo::element_type type() const { return type_; } ///< of weights
  const std::vector<std::int64_t> &cache_parameters() const {
    return cache_parameters_;
  }
  const neuron::program_parameter &parameter(std::int64_t number) const {
    return parameters_[static_cast<std::size_t>(number)];
  }
  std::size_t parameters() const { return parameters_.size(); }
  /// The parameter in whose place `number` is given to the program of some
  /// layers, and for which of its runs; nothing: every run has it as it is.
  struct layer_place {
    std::int64_t parameter, run;
  };
  std::optional<layer_place> place_in_layers(std::int64_t number) const {
    return places_[static_cast<std::size_t>(number)];
  }
  /// Runs of that program in a step; 0 for whole steps.
  std::int64_t layer_runs() const { return layer_runs_; }
  /// The residual stream between programs, -1 for whole steps.
  std::int64_t stream_parameter() const { return stream_parameter_; }
  std::size_t programs() const {
    return buckets_.size() * (layer_runs_ > 0 ? 3 : 1);
  }
  /// Programs that had to be compiled; the others were found.
  std::size_t compilations() const { return compilations_; }
  /// What a step of the largest bucket needs for a team of `members`.
  std::size_t memory_bytes(int members) const;

private:
  void describe_parameters(const hlo::decoder_spec &spec,
                           const model_plan &plan,
                           std::vector<hlo::step_graph> &largest);

  std::vector<bucket> buckets_;
  std::vector<neuron::program_parameter> parameters_;
  std::vector<std::optional<layer_place>> places_;
  std::int64_t layer_runs_ = 0, stream_parameter_ = -1;
  std::vector<hlo::weight_parameter> weights_;
  std::optional<hlo::weight_parameter> host_embedding_;
  hlo::element_type type_ = hlo::element_type::f32;
  std::vector<std::int64_t> cache_parameters_;
  std::size_t compilations_ = 0;
};

/// Programs of the plan that `artifacts` does not have. Builds the
/// graphs, compiles nothing.
std::size_t missing_programs(const hlo::decoder_spec &spec,
                             const model_plan &plan,
                             const artifact_set &artifacts);

} // namespace ganglion::runtime

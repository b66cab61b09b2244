// An opened model directory: its config, family, decoder spec and checkpoint,
// with every weight found and its shape checked.
#pragma once

#include "hlo/decoder/step_graph.hpp"
#include "neuron/packing.hpp"
#include "runtime/checkpoint/checkpoint.hpp"
#include "runtime/models/rope_overrides.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace ganglion::runtime {

/// Where one step-graph weight comes from: the tensor and how to read it.
struct located_weight {
  tensor_view tensor;
  tensor_origin origin;
};

/// The decoder that a directory's config.json describes, weights or not. Throws
/// as `model_source::open` does.
hlo::decoder_spec described_model(const std::string &directory,
                                  const rope_overrides &rope = {});

/// Immutable, so any thread may read; weight views borrow from `weights`.
class model_source {
public:
  /// Opens config.json and the weights. Throws `not_found`, `corrupt_data`
  /// or `unsupported` naming file and field; all missing, unexpected and
  /// mis-shaped tensors are in one error.
  static std::shared_ptr<const model_source>
  open(const std::string &directory, const rope_overrides &rope = {},
       checkpoint_form form = checkpoint_form::any);

  const std::string &directory() const { return directory_; }
  const hlo::decoder_spec &spec() const { return spec_; }
  const checkpoint &weights() const { return *weights_; }
  /// EOS ids of config.json and generation_config.json together.
  const std::set<std::int32_t> &eos_ids() const { return eos_ids_; }

  /// How the checkpoint is cut for ranks; nothing: it is whole.
  const std::optional<hlo::sharding_options> &presharded() const {
    return presharded_;
  }

  /// The view of a weight that has values of its own borrows from `w`. In a
  /// presharded checkpoint, the part of `rank`.
  located_weight locate(const hlo::weight_parameter &w,
                        std::int64_t rank = 0) const;

private:
  model_source() = default;
  void check_weights() const;
  void check_parts() const;
  std::string stored_name(const std::string &name) const;

  std::string directory_;
  const family *family_ = nullptr;
  hlo::decoder_spec spec_;
  std::shared_ptr<const checkpoint> weights_;
  std::set<std::int32_t> eos_ids_;
  std::optional<hlo::sharding_options> presharded_;
};

} // namespace ganglion::runtime

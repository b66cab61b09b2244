// Everything about a model that the ranks of a group share: opened, planned
// and compiled, before any rank reads its weights.
#pragma once

#include "runtime/chat/model_chat.hpp"
#include "runtime/shard/rank_runner.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <memory>
#include <set>

namespace ganglion::runtime {

/// Immutable.
struct loaded_model : shared_model {
  /// Guesses tokens, if there is one.
  std::optional<shared_model> draft = std::nullopt;
  /// Null when the directory has none: then only token ids can be served.
  std::shared_ptr<const tokenizer> tokens;
  /// Never null; refuses by itself when there is no template that parses.
  std::shared_ptr<const model_chat> chat;
  /// Of config, generation config and tokenizer together.
  std::shared_ptr<const std::set<std::int32_t>> eos_ids;
};

rope_overrides overrides_of(const model_config &config);

/// The decoder that its config.json and those settings describe, weights or
/// not.
hlo::decoder_spec described_model(const model_config &config);

/// The model's directory with the settings that replace its own.
std::shared_ptr<const model_source> open_model(const model_config &config);

/// Opens, plans and compiles; throws what those throw.
std::shared_ptr<const loaded_model> load_model(const engine_config &config);

} // namespace ganglion::runtime

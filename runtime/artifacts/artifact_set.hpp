// Everything a start may reuse of earlier ones: a directory that was named, a
// cache, or neither.
#pragma once

#include "hlo/module.hpp"
#include "neuron/compiler/compiler.hpp"
#include "runtime/artifacts/artifact_store.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ganglion::runtime {

/// Compiled programs and packed weights by what they were made from. Immutable;
/// any thread.
class artifact_set {
public:
  artifact_set() = default;
  /// Looked through in order. Weights are found only when `content`, the
  /// digest of the checkpoint, is given.
  artifact_set(std::vector<artifact_store> stores,
               std::optional<digest> content)
      : stores_(std::move(stores)),
        content_(content) {}

  bool empty() const { return stores_.empty(); }
  const std::vector<artifact_store> &stores() const { return stores_; }

  struct program {
    std::shared_ptr<const neuron::program> code;
    bool compiled = false; ///< or else found
  };

  /// The program of a step graph: found, or compiled and kept. `about` goes
  /// into its manifest. Throws `invalid_argument` (field `graph`) when a named
  /// directory has none for this graph, and what `compile` throws.
  program program_of(const hlo::module &graph,
                     const neuron::compile_options &options,
                     std::vector<manifest_field> about) const;
  bool has_program(const hlo::module &graph,
                   const neuron::compile_options &options) const;

  /// The packed weights made from this checkpoint as `layout` says, mapped;
  /// nothing when there are none of that size.
  std::optional<mapped_file> weights(const digest &layout,
                                     std::size_t bytes) const;
  bool has_weights(const digest &layout) const;
  /// Keeps packed weights for the next start, where there is a cache.
  void keep_weights(const digest &layout, std::vector<manifest_field> about,
                    std::span<const std::byte> bytes) const;

private:
  std::optional<digest> weights_key(const digest &layout) const;
  const artifact_store *first(artifact_store::policy how) const;
  std::shared_ptr<const neuron::program>
  stored_program(const artifact_store &store, const digest &key,
                 const hlo::module &graph,
                 const neuron::compile_options &options) const;

  std::vector<artifact_store> stores_;
  std::optional<digest> content_;
};

} // namespace ganglion::runtime

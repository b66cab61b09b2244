// The weights of one rank in the form its programs want, and the tables that
// all ranks share.
#pragma once

#include "runtime/models/model_source.hpp"
#include "runtime/shard/compiled_steps.hpp"

#include <functional>
#include <map>
#include <memory>

namespace ganglion::runtime {

/// Embedding tables, which every rank needs whole: the checkpoint's own pages
/// where the type is the same, one converted copy otherwise.
class shared_tables {
public:
  static std::shared_ptr<const shared_tables>
  load(std::shared_ptr<const model_source> model, const compiled_steps &steps,
       const hlo::placement &placed);

  /// The table behind a parameter, or that its rows are looked up in by the
  /// host; null when it is not a shared one.
  const std::byte *find(std::int64_t parameter) const;

private:
  void add(const hlo::weight_parameter &w,
           const neuron::program_parameter &wanted,
           const hlo::placement &placed);

  std::shared_ptr<const model_source> model_;
  std::vector<aligned_buffer> converted_;
  std::map<std::int64_t, const std::byte *> tables_;
};

/// Called after each weight with the bytes done so far. May be called from
/// several ranks' threads at once.
using load_progress = std::function<void(std::size_t bytes)>;

/// How weights come into memory.
struct weight_loading {
  /// Where packed weights of earlier starts are, and where new ones go; or
  /// null.
  std::shared_ptr<const artifact_set> artifacts;
  /// Takes each tensor of the checkpoint out of memory once it is packed.
  bool low_memory = false;
};

/// Read-only once loaded and shared, so that a rank which is given up cannot
/// take the memory away from a kernel that still runs.
class rank_weights {
public:
  static std::shared_ptr<const rank_weights>
  load(const model_source &model, const compiled_steps &steps,
       const hlo::placement &placed, std::int64_t rank,
       std::shared_ptr<const shared_tables> tables,
       const load_progress &progress, const weight_loading &how = {});

  const std::byte *at(std::int64_t parameter) const;
  std::size_t bytes() const { return bytes_; }
  /// Whether they are a mapping of what an earlier start packed.
  bool mapped() const { return !file_.bytes().empty(); }

private:
  void lay_out(const compiled_steps &steps);
  void pack(const model_source &model, const compiled_steps &steps,
            const hlo::placement &placed, std::int64_t rank, bool low_memory,
            const load_progress &progress);

  std::shared_ptr<const shared_tables> tables_;
  aligned_buffer memory_; ///< packed here,
  mapped_file file_;      ///< or by an earlier start
  const std::byte *base_ = nullptr;
  std::size_t bytes_ = 0;
  std::map<std::int64_t, std::size_t> offsets_;
};

/// What the packed weights of a rank consist of, apart from the checkpoint's
/// bytes: every element's origin, and every parameter's shape and packing. Any
/// option that changes the packing changes it.
digest packed_layout(const model_source &model, const compiled_steps &steps,
                     const hlo::placement &placed, std::int64_t rank);

/// Ranks whose packed weights `artifacts` does not have.
std::size_t missing_weights(const model_source &model,
                            const compiled_steps &steps,
                            const hlo::placement &placed,
                            const artifact_set &artifacts);

} // namespace ganglion::runtime

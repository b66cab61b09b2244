// The weights of one rank in the form its programs want.
#pragma once

#include "runtime/shard/shared_tables.hpp"

#include <functional>

namespace ganglion::runtime {

/// Called after each weight with the bytes done so far. May be called from
/// several ranks' threads at once.
using load_progress = std::function<void(std::size_t bytes)>;

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
  void pack_groups(const model_source &model, const compiled_steps &steps,
                   const hlo::weight_parameter &w, const hlo::placement &placed,
                   std::int64_t rank);

  std::shared_ptr<const shared_tables> tables_;
  aligned_buffer memory_; ///< packed here,
  mapped_file file_;      ///< or by an earlier start
  const std::byte *base_ = nullptr;
  std::size_t bytes_ = 0;
  std::map<std::int64_t, std::size_t> offsets_;
};

} // namespace ganglion::runtime
